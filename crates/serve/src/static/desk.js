// Files dragged onto the page, also whole folders, are put into the field for files: the form sends them as if they were chosen there.
// What cannot be read, because another program keeps it or it lies elsewhere, is left out and named.
const zone = document.querySelector('[data-drop]');
const fields = [...zone?.querySelectorAll('input[type=file]') ?? []];
const list = (names) => `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
const isRead = (file) => file.slice(0, 1).arrayBuffer().then(() => true, () => false);

// Keeps those files in a field that can be read, and tells what there is; gives whether all can. `lost` has the names of others.
const keep = async (field, files, lost = []) => {
  const read = await Promise.all(files.map(isRead));
  const unread = [...lost, ...files.filter((file, at) => !read[at]).map((file) => file.name)];
  const kept = new DataTransfer();
  for (const file of files.filter((file, at) => read[at])) kept.items.add(file);
  field.files = kept.files;
  const names = fields.flatMap((one) => [...one.files]).map((file) => file.name);
  zone.querySelector('[data-chosen]').textContent = names.length ? `${names.length}: ${list(names)}` : '';
  const told = zone.querySelector('[data-lost]');
  told.hidden = !unread.length;
  told.textContent = unread.length ? `${zone.dataset.unread} ${list(unread)}${unread.length > 5 ? ` (${unread.length})` : ''}` : '';
  return !unread.length;
};
const filesOf = async (entry, lost) => {
  try {
    if (entry.isFile) return [await new Promise((done, failed) => entry.file(done, failed))];
    const reader = entry.createReader();
    const found = [];
    // A reader gives a hundred entries at a time.
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (!some.length) return found;
      for (const one of some) found.push(...await filesOf(one, lost));
    }
  } catch {
    lost.push(entry.name);
    return [];
  }
};
if (zone) {
  const hover = (event, isOver) => { event.preventDefault(); zone.classList.toggle('over', isOver); };
  zone.addEventListener('dragover', (event) => hover(event, true));
  zone.addEventListener('dragleave', (event) => hover(event, false));
  zone.addEventListener('drop', async (event) => {
    hover(event, false);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const [lost, dropped] = [[], [...event.dataTransfer.files]];
    const found = entries.length ? (await Promise.all(entries.map((entry) => filesOf(entry, lost)))).flat() : dropped;
    await keep(fields[0], [...fields[0].files, ...found], lost);
  });
  for (const field of fields) field.addEventListener('change', () => keep(field, [...field.files]));
  // Files may have been opened elsewhere since they were chosen.
  const form = zone.closest('form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    for (const field of fields) if (!await keep(field, [...field.files])) return;
    form.submit();
  });
  // A drop beside the field must not open the file in the place of the page.
  for (const kind of ['dragover', 'drop']) window.addEventListener(kind, (event) => event.preventDefault());
}
