import { serveTasks } from '../../db/platform/kept-thread';
import { printResult } from './printed-result';

/* This thread prepares what a PDF shows (print-thread.ts). */

serveTasks((task: Parameters<typeof printResult>) => printResult(...task));
