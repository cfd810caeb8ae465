import { serveTasks } from '../../db/platform/kept-thread';
import { compileMarkdown } from './markdown';

/* This thread compiles the pages that it receives (markdown-pages.ts). */
serveTasks(compileMarkdown);
