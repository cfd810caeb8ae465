import { html } from '../text/html';
import type { Html } from '../text/html';
import { timestamp } from './elements';
import type { Visitor } from './visitor';

type Query = Record<string, string | undefined>;

/** A search form. Its fields become the query of the address. */
export function askForm(visit: Visitor, path: string, content: Html): Html {
  // The fields replace the query of the form's address, so the query's values are sent as fields too.
  const { pathname, searchParams } = new URL(visit.href(path), 'http://console');
  return html`<form class="inline" method="get" action="${pathname}">
    ${[...searchParams].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${content}
  </form>`;
}

/** Links that filter a list by one field and keep its other filters. */
export const tabs = (
  visit: Visitor,
  path: string,
  label: string,
  { name, entries, query }: { name: string; entries: readonly (readonly [string, string])[]; query: Query },
): Html =>
  html`<nav aria-label="${label}">
    <ul class="tabs">
      ${entries.map(
        ([value, text]) =>
          html`<li>
            <a
              href="${visit.href(path, { ...query, offset: undefined, [name]: value })}"
              ${(query[name] ?? '') === value ? html`aria-current="true"` : null}
              >${text}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;

/** A timestamp and its distance from now. */
export const moment = (at: string | null): Html =>
  at === null
    ? timestamp(at)
    : html`${timestamp(at)} <span class="soft small distance">(${relative(at)})</span>`;

/** The distance of a timestamp from now. live.js keeps it up to date. */
export const relative = (at: string): Html =>
  html`<span data-distance="${at}">${distance(Date.parse(at) - Date.now())}</span>`;

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** Formats a duration in its largest unit, such as `in 4 min` or `3 h ago`. */
export function distance(ms: number): string {
  const size = Math.abs(ms);
  const [name, unit] = units.find(([, least]) => size >= least) ?? ['', 0];
  if (unit === 0) return ms > 0 ? 'in less than a minute' : 'just now';
  const count = Math.round(size / unit);
  return ms > 0 ? `in ${count} ${name}` : `${count} ${name} ago`;
}

/** Converts a date and time in UTC, as browsers send it or in full, to the API's format. */
export const toInstant = (text: string): string => {
  const withSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00` : text;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/.test(withSeconds) ? `${withSeconds}Z` : withSeconds;
};

/** Converts a date and time to the format of the page's input field, '' if it is not valid. */
export const toTimeInput = (value: string): string => {
  const at = Date.parse(toInstant(value));
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 19);
};

/** Returns the query parameters with these names that are not empty. */
export const given = (query: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));

/** Returns the text if it is one of these values. */
export const oneOf = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text);

/** Returns the list offset from the address, 0 unless it is a small non-negative integer. */
export const offsetOf = (query: Record<string, string>): number =>
  /^\d{1,7}$/.test(query['offset'] ?? '') ? Number(query['offset']) : 0;
