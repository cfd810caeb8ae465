/** Keeps a draft of the typed answer in this tab, and counts the time down. The page works without it. */
'use strict';
(() => {
  const announcedMinutes = [10, 5, 1];
  const field = document.querySelector('textarea#answer');
  const turn = document.querySelector('[name=turn_id]');
  const owner = document.querySelector('[name=for]');
  const timer = document.querySelector('[data-remaining-ms]');

  // Browsers that block storage throw an error for every use of it.
  const attempt = (work) => {
    try {
      return work();
    } catch {
      return null;
    }
  };

  if (turn) {
    const drafts = `draft ${owner.value} `;
    const key = drafts + turn.value;
    // Drafts of this candidate's other turns are removed, because those turns have been answered. Drafts of other
    // candidates are kept, because their answers may not have been sent yet.
    attempt(() => {
      for (const other of Object.keys(sessionStorage))
        if (other.startsWith(drafts) && other !== key) sessionStorage.removeItem(other);
    });
    if (field) {
      if (field.value === '') field.value = attempt(() => sessionStorage.getItem(key)) ?? '';
      field.addEventListener('input', () => attempt(() => sessionStorage.setItem(key, field.value)));
    }
  }

  if (timer) {
    const endsAt = performance.now() + Number(timer.dataset.remainingMs);
    const status = document.querySelector('#announcement');
    const format = new Intl.NumberFormat(document.documentElement.lang, {
      style: 'unit',
      unit: 'minute',
      unitDisplay: 'long',
    });
    const minutesLeft = () => Math.max(0, Math.ceil((endsAt - performance.now()) / 60_000));
    let shown = minutesLeft();
    setInterval(() => {
      const minutes = minutesLeft();
      if (minutes === shown) return;
      // The count can skip minutes after the computer was asleep, so every minute since the last update is
      // considered.
      const isAnnounced = announcedMinutes.some((each) => minutes <= each && each < shown);
      shown = minutes;
      timer.textContent = timer.dataset.text.replace('{duration}', format.format(minutes));
      if (isAnnounced) status.textContent = timer.textContent;
    }, 1000);
  }
})();
