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
