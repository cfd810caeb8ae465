import { html, type Html } from '../../api/platform/text/html';
import type { Fault } from './faults';
import type { Post } from './feature-board';
import { renderPage } from './html';
import type { ModelCall } from './openai';
import type { Mail } from './sendgrid';
import type { SinkRequest } from './sink-request';
import type { Conversation } from './zendesk';

/** The page cuts long lists. The JSON has them whole. */
const limitShown = 100;

/** Renders the page at `/`, which describes the fakes and links to the lists. */
export function renderIndex(lists: { path: string; title: string; count: number }[]): string {
  return renderPage(
    'Fakes',
    html`<p>
        This server answers in place of the outside providers (model, mail, support desk, feature board,
        webhook receivers) so that the product runs and is tested on one machine. It keeps what it received,
        shows it below, and fails on request by
        <code>POST /faults</code>.
      </p>
      <ul>
        ${lists.map(
          ({ path, title, count }) =>
            html`<li><a href="${path}">${title}</a> <span class="soft">${count}</span></li>`,
        )}
      </ul>`,
  );
}

/** Renders the mails, newest first, each in a fully sandboxed frame. */
export function renderMailbox(mails: Mail[]): string {
  return renderList('Mailbox', mails, (mail) => {
    const { to, from, subject, html: markup, text, categories, custom_args: customArgs, at } = mail;
    const sender = mail.from_name === null ? from : `${mail.from_name} <${from}>`;
    const answers = mail.reply_to === null ? '' : ` · answers to ${mail.reply_to}`;
    return html`<summary>
        <strong>${subject}</strong> → ${to}<br /><span class="soft">${at} · from ${sender}${answers}</span>
      </summary>
      <p class="soft">${[...categories, JSON.stringify(customArgs)].join(' · ')}</p>
      ${
        markup === null
          ? null
          : html`<iframe sandbox="" loading="lazy" title="${subject}" srcdoc="${markup}"></iframe>`
      }
      ${listLinks(mail)} ${text === null ? null : html`<pre>${text}</pre>`}`;
  });
}

/** Renders the support desk's conversations, newest first. */
export function renderConversations(conversations: Conversation[]): string {
  return renderList('Conversations', conversations, (conversation) => {
    const { number, external_id, requester_email, requester_name, subject, body, at, tags } = conversation;
    const requester = requester_name === null ? requester_email : `${requester_name} <${requester_email}>`;
    return html`<summary>
        <strong>#${number} ${subject}</strong><br /><span class="soft">${at} · from ${requester}</span>
      </summary>
      <p class="soft">${[external_id ?? 'no external_id', ...tags].join(' · ')}</p>
      <pre>${body}</pre>`;
  });
}

/** Renders the model calls, newest first. */
export function renderModelCalls(calls: ModelCall[]): string {
  return renderList(
    'Model calls',
    calls,
    ({ at, model, messages, response_format: format }) =>
      html`<summary>${model} <strong>${format}</strong><br /><span class="soft">${at}</span></summary>
        <pre>${JSON.stringify(messages, null, 2).replaceAll('\\n', '\n')}</pre>`,
  );
}

/** Renders the posts of the feature board, newest first. */
export function renderPosts(posts: Post[]): string {
  return renderList(
    'Posts',
    posts,
    ({ title, details, author_name: name, author_email: email, at }) =>
      html`<summary>
          <strong>${title}</strong><br /><span class="soft">${at} · by ${name} &lt;${email}&gt;</span>
        </summary>
        <pre>${details}</pre>`,
  );
}

/** Renders what one sink received, newest first. */
export function renderSink(name: string, requests: SinkRequest[]): string {
  return renderList(
    `Sink ${name}`,
    requests,
    ({ at, method, path, headers, body }) =>
      html`<summary>${method} ${path}<br /><span class="soft">${at}</span></summary>
        <pre>${JSON.stringify(headers, null, 2)}</pre>
        <pre>${body}</pre>`,
  );
}

/** Renders the pending faults, the next one first. */
export function renderFaults(faults: Fault[]): string {
  const rows = faults.map((fault) => html`<pre>${JSON.stringify(fault)}</pre>`);
  return renderPage('Pending faults', rows.length > 0 ? html`${rows}` : html`<p>None.</p>`);
}

function renderList<T>(title: string, records: T[], renderRecord: (record: T) => Html): string {
  const shown = records.slice(-limitShown).toReversed();
  const count =
    shown.length < records.length
      ? `The newest ${shown.length} of ${records.length}.`
      : `${records.length} in all.`;
  const rows = shown.map((record) => html`<details>${renderRecord(record)}</details>`);
  return renderPage(
    title,
    html`<p class="soft">${count}</p>
      ${rows}`,
  );
}

/**
 * A sandboxed frame opens no link, so links are listed next to it. Only http(s) is allowed, so that a mail cannot smuggle
 * in a script.
 */
function listLinks({ html: markup, text }: Mail): Html | null {
  const inMarkup = [...(markup ?? '').matchAll(/href\s*=\s*["'](https?:[^"']+)["']/gi)];
  const inText = [...(text ?? '').matchAll(/(https?:\/\/[^\s<>"')\]]+)/gi)];
  const links = new Set([...inMarkup, ...inText].map(([, link = '']) => link.replace(/&(amp|#38);/g, '&')));
  if (links.size === 0) return null;
  const rows = [...links]
    .slice(0, 10)
    .map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`);
  return html`<ul class="soft">
    ${rows}
  </ul>`;
}
