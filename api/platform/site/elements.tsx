import type { ComponentChildren, VNode } from 'preact';
import { formatRelativeTime, writeTime, writeUtc } from './times';
import type { HrefQuery } from './visitor';
import { useMerchantTimeZone, useVisitor } from './visitor-context';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';
type Children = { children: ComponentChildren };

/** A table. In a narrow window, each row becomes a card. A column with an empty name contains buttons. */
export function Table(props: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly ComponentChildren[])[];
  empty?: string;
}): VNode {
  const { caption, columns, rows, empty = 'Nothing here yet.' } = props;
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex={0}>
      <table class="cards" aria-label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={column === '' ? 'acts' : undefined}>
                {column || <span class="skip">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, index) => (
                <td class={columns[index] === '' ? 'acts' : undefined} data-label={columns[index]}>
                  <span>{cell}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const Badge = ({ tone = 'plain', children }: Children & { tone?: Tone }): VNode => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** Shown in place of a missing value. */
export const Dash = (): VNode => <span class="soft">–</span>;
export const Soft = ({ children }: Children): VNode => <span class="soft small">{children}</span>;
export const Mono = ({ children }: Children): VNode => <span class="mono">{children}</span>;

/** A text of any length on one line. Its title attribute contains the whole text. */
export const OneLine = ({ text, to }: { text: string; to?: string }): VNode =>
  to === undefined ? (
    <span class="one-line" title={text}>
      {text}
    </span>
  ) : (
    <Link to={to} class="one-line" title={text}>
      {text}
    </Link>
  );

/** A link to a console page. It keeps the merchant that a platform admin has chosen. */
export const Link = (
  props: Children & { to: string; query?: HrefQuery; class?: string; title?: string },
): VNode => {
  const { to, query, children, ...others } = props;
  return (
    <a {...others} href={useVisitor().href(to, query)}>
      {children}
    </a>
  );
};

/** Sends the browser to another page as soon as it reads this element, also at another site. */
export const RedirectNow = ({ to }: { to: string }): VNode => (
  <p>
    <meta http-equiv="refresh" content={`0; url=${to}`} />
    <a href={to} rel="noreferrer">
      Continue
    </a>
  </p>
);

/** Shows an API timestamp in the merchant's time zone, with the exact instant as its title. */
export function Time({ at }: { at: string | null }): VNode {
  const timeZone = useMerchantTimeZone();
  if (at === null) return <Dash />;
  return (
    <time datetime={at} title={writeUtc(at)}>
      {writeTime(at, timeZone)}
    </time>
  );
}

/** Shows how far a timestamp is from now. live.js keeps the text up to date. */
export const RelativeTime = ({ at }: { at: string }): VNode => (
  <span data-distance={at}>{formatRelativeTime(Date.parse(at) - Date.now())}</span>
);

/** Shows a timestamp and how far it is from now. */
export const TimeWithRelative = ({ at }: { at: string | null }): VNode =>
  at === null ? (
    <Dash />
  ) : (
    <>
      <Time at={at} />{' '}
      <span class="soft small distance">
        (<RelativeTime at={at} />)
      </span>
    </>
  );

/** Names and values in two columns. Entries that are null or false are left out. A value of null is shown as a dash. */
export const Facts = (props: {
  entries: readonly (readonly [name: string, value: ComponentChildren] | null | false)[];
}): VNode => (
  <dl class="facts">
    {props.entries.map(
      (entry) =>
        entry && (
          <>
            <dt>{entry[0]}</dt>
            <dd>{entry[1] ?? <Dash />}</dd>
          </>
        ),
    )}
  </dl>
);

/**
 * A section of the page. If `live` is set, it is the section's id, and live.js updates the section without a reload.
 * Such a section must not contain text fields.
 */
export const Panel = (props: Children & { title?: string; live?: string }): VNode => (
  <section class="panel">
    {props.title !== undefined && <h2>{props.title}</h2>}
    {props.live === undefined ? (
      props.children
    ) : (
      <div id={props.live} data-live>
        {props.children}
      </div>
    )}
  </section>
);

/**
 * A text that may need scrolling. It is focusable, so that the keyboard can scroll it in every browser. JSON is
 * indented.
 */
export const Code = ({ label, text }: { label: string; text: string }): VNode => (
  <div class="copyable">
    <pre tabindex={0} role="region" aria-label={label}>
      {indentJson(text)}
    </pre>
    <CopyButton what={label} />
  </div>
);

/**
 * A button that copies the text or field of the `.copyable` element that contains it. It is visible only if copy.js
 * runs.
 */
export const CopyButton = ({ what }: { what: string }): VNode => (
  <button type="button" class="plain copy" data-copy aria-label={`Copy: ${what}`}>
    Copy
  </button>
);

const maxIndents = 20;
/** Longer texts are not indented. Indenting 64 KiB takes up to 30 ms. */
const maxIndentedLength = 65_536;
/**
 * A text that would grow to more than this multiple of its length is not indented, because deep lists of short values
 * grow twentyfold.
 */
const maxGrowth = 4;

/**
 * Indents a JSON text without changing how its numbers and strings are written. Texts that are not JSON or too large are
 * returned unchanged.
 */
export function indentJson(text: string): string {
  if (text.length > maxIndentedLength || !/^\s*[{[]/.test(text) || !isJson(text)) return text;
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, maxIndents))}`;
  const indented = text.replace(
    /"(?:[^"\\]|\\.)*"|\s+|([{[])\s*[}\]]|[{}[\],:]/g,
    (token, empty?: string) => {
      if (token.trim() === '') return '';
      if (empty) return token.replaceAll(/\s/g, '');
      if (token === ':') return ': ';
      if (token === ',') return token + newLine();
      if (token === '{' || token === '[') {
        depth++;
        return token + newLine();
      }
      if (token === '}' || token === ']') {
        depth--;
        return newLine() + token;
      }
      return token;
    },
  );
  return indented.length > text.length * maxGrowth + 1_000 ? text : indented;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Shows links that filter a list by one field and keep the list's other filters. */
export function Tabs(props: {
  path: string;
  label: string;
  name: string;
  entries: readonly (readonly [value: string, text: string])[];
  query: HrefQuery;
}): VNode {
  const { href } = useVisitor();
  return (
    <nav aria-label={props.label}>
      <ul class="tabs">
        {props.entries.map(([value, text]) => (
          <li>
            <a
              href={href(props.path, { ...props.query, offset: undefined, [props.name]: value })}
              aria-current={(props.query[props.name] ?? '') === value ? 'true' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/**
 * Shows links to the next and previous page of a list that uses the API's paging format. `countedTo` is the number up
 * to which matches are counted. If a page has two lists, each has its own `offsetName`.
 */
export function Pager(props: {
  path: string;
  total: number;
  limit: number;
  offset: number;
  has_more?: boolean;
  countedTo?: number;
  offsetName?: string;
  query?: HrefQuery;
}): VNode | null {
  const { path, total, limit, offset, countedTo, offsetName = 'offset', query } = props;
  const hasMore = props.has_more ?? offset + limit < total;
  const last = hasMore ? offset + limit : Math.min(offset + limit, total);
  const { href } = useVisitor();
  // An empty list shows its own message. A page beyond the end of a list still links back.
  if (total === 0 && offset === 0) return null;
  const link = (label: string, to: number, rel: string) => (
    <a rel={rel} href={href(path, { ...query, [offsetName]: to || undefined })}>
      {label}
    </a>
  );
  return (
    <div class="pages">
      {last > offset && (
        <span class="soft">
          {limit === 1 ? last : `${offset + 1}–${last}`}
          {last <= total && ` of ${total === countedTo ? `${total} or more` : total}`}
        </span>
      )}
      {offset > 0 && link('Previous', Math.max(0, offset - limit), 'prev')}
      {hasMore && link('Next', offset + limit, 'next')}
    </div>
  );
}
