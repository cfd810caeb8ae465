import { changeState, editorForm, setCurrentText } from './builder-state';

/* The live preview: sends the definition to the server, and shows the problems or the report that it returns. */

const waitMs = 500;
let timer: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;

const say = (message: string) => changeState({ message });
const put = (id: string, from: Element) =>
  document.getElementById(id)?.replaceChildren(...document.importNode(from, true).childNodes);

function show(page: Document, status: number): void {
  const [problems, report] = ['problems', 'preview'].map((id) => page.getElementById(id));
  if (!problems || !report) {
    // The reply is another page, not a preview: the session has ended, or there were too many requests.
    const message = page.querySelector('main .error')?.textContent ?? 'The preview failed. Reload the page.';
    document.getElementById('problems')?.replaceChildren(message);
    say(message);
    return;
  }
  put('problems', problems);
  const issues = [...problems.querySelectorAll('li')];
  const counts = new Map<string, number>();
  for (const { dataset } of issues)
    if (dataset['block']) counts.set(dataset['block'], (counts.get(dataset['block']) ?? 0) + 1);
  changeState({ problems: counts });
  if (status === 200) put('preview', report);
  const count = `${issues.length} ${issues.length === 1 ? 'problem' : 'problems'}`;
  say(status === 200 ? 'Preview updated.' : `${count}. The preview shows the last valid report.`);
}

/** Previews the text of the form, after a repair if there is one. */
export async function preview(repair?: string): Promise<void> {
  clearTimeout(timer);
  asking?.abort();
  const own = (asking = new AbortController());
  const box = document.getElementById('preview');
  box?.setAttribute('aria-busy', 'true');
  try {
    const body = new FormData(editorForm);
    body.set('intent', 'live');
    if (repair !== undefined) body.set('repair', repair);
    const response = await fetch(editorForm.action, {
      method: 'POST',
      body: new URLSearchParams(
        [...body].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
      ),
      signal: own.signal,
    });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const text = page.querySelector<HTMLTextAreaElement>('textarea#definition');
    if (repair !== undefined && text) setCurrentText(text.value);
    show(page, response.status);
  } catch {
    if (!own.signal.aborted) say('The preview failed. It is tried again with the next change.');
  } finally {
    if (asking === own) box?.removeAttribute('aria-busy');
  }
}

/** Previews the text of the form once nothing has changed for `waitMs` milliseconds. */
export function previewSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void preview(), waitMs);
}
