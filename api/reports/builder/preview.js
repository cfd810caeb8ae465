/** The live preview: sends the definition to the server, and shows the problems or the report that it returns. */
'use strict';
(() => {
  const own = (globalThis.reportBuilder ??= {});
  const waitMs = 500;

  /**
   * `onProblems` gets the number of problems of each block, `onRepaired` the text after a repair, and `say` the
   * sentence that a screen reader announces.
   */
  own.createPreview = ({ form, onProblems, onRepaired, say }) => {
    let timer;
    let asking;

    function show(page, status) {
      const [problems, preview] = ['problems', 'preview'].map((id) => page.getElementById(id));
      if (!problems || !preview) {
        // The reply is another page, not a preview: the session has ended, or there were too many requests.
        const message =
          page.querySelector('main .error')?.textContent ?? 'The preview failed. Reload the page.';
        document.getElementById('problems').textContent = message;
        say(message);
        return;
      }
      document.getElementById('problems').replaceChildren(...document.importNode(problems, true).childNodes);
      const counts = new Map();
      const issues = [...problems.querySelectorAll('li')];
      for (const { dataset } of issues)
        if (dataset.block) counts.set(dataset.block, (counts.get(dataset.block) ?? 0) + 1);
      onProblems(counts);
      if (status !== 200) {
        say(
          `${issues.length} ${issues.length === 1 ? 'problem' : 'problems'}. The preview shows the last valid report.`,
        );
        return;
      }
      document.getElementById('preview').replaceChildren(...document.importNode(preview, true).childNodes);
      say('Preview updated.');
    }

    async function ask(fields) {
      asking?.abort();
      const own = (asking = new AbortController());
      const box = document.getElementById('preview');
      box.setAttribute('aria-busy', 'true');
      try {
        const body = new URLSearchParams(new FormData(form));
        body.set('intent', 'live');
        for (const [name, value] of Object.entries(fields)) body.set(name, value);
        const response = await fetch(form.action, { method: 'POST', body, signal: own.signal });
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        if (fields.repair !== undefined && page.getElementById('definition'))
          onRepaired(page.getElementById('definition').value);
        show(page, response.status);
      } catch {
        if (!own.signal.aborted) say('The preview failed. It is tried again with the next change.');
      } finally {
        if (asking === own) box.removeAttribute('aria-busy');
      }
    }

    return {
      /** Previews the text of the form once nothing has changed for `waitMs` milliseconds. */
      soon: () => {
        clearTimeout(timer);
        timer = setTimeout(() => void ask({}), waitMs);
      },
      now: () => void ask({}),
      repair: (repair) => {
        clearTimeout(timer);
        void ask({ repair });
      },
    };
  };
})();
