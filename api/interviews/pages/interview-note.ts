import type { ApiError } from '../../platform/operation/api-error';
import type { Page } from '../../platform/site/layout';
import type { ConsoleVisit } from '../../platform/site/visitor';
import type { EnteredValues } from './field-forms';

/** What the page of an interview shows after an action. */
export type InterviewNote = {
  error?: ApiError;
  /** The form to which the error belongs. */
  form?: 'share' | 'embed';
  entered?: EnteredValues;
  /** A new link, and the person it is for. */
  link?: { url: string; of: string };
  /** The ids of the questions in an order that is not saved yet. */
  order?: readonly string[];
};
export type RenderInterview = (visit: ConsoleVisit, id: string, note?: InterviewNote) => Promise<Page>;
