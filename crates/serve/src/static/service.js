// Follows a check: the page is loaded again when its state changes for good.
const waiting = document.querySelector('[data-events]');
if (waiting) {
  const source = new EventSource(waiting.dataset.events);
  const shown = waiting.querySelector('progress');
  source.addEventListener('status', (event) => {
    const status = JSON.parse(event.data);
    if (shown) shown.value = status.progress;
    if (status.state === 'done' || status.state === 'failed' || status.state === 'cancelled') {
      source.close();
      location.reload();
    }
  });
}

// Follows the work on many: asks how far it is, and loads the page again at the end, unless a form was begun.
let isBegun = false;
document.addEventListener('input', (event) => { if (event.target.form?.method === 'post') isBegun = true; });
for (const box of document.querySelectorAll('[data-follow]')) {
  const look = async () => {
    const reply = await fetch(box.dataset.follow).catch(() => null);
    const told = reply?.ok ? await reply.text() : null;
    if (told === '' && !isBegun) location.reload();
    else if (told === '') box.textContent = box.dataset.finished;
    else {
      if (told) box.innerHTML = told;
      setTimeout(look, 2000);
    }
  };
  setTimeout(look, 1000);
}
