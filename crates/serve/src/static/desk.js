// Theses dragged onto the page, also whole folders, are put into the field for files: the form sends them as if they were chosen there.
const zone = document.querySelector('[data-drop]');
const field = zone?.querySelector('input[type=file]');
const told = zone?.querySelector('[data-chosen]');
const tell = () => {
  const names = [...field.files].map((file) => file.name);
  told.textContent = names.length ? `${names.length}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}` : '';
};
const filesOf = async (entry) => {
  if (entry.isFile) return [await new Promise((done, failed) => entry.file(done, failed))];
  const reader = entry.createReader();
  const found = [];
  // A reader gives a hundred entries at a time.
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    for (const one of some) found.push(...await filesOf(one));
  }
};
if (zone) {
  const hover = (event, isOver) => { event.preventDefault(); zone.classList.toggle('over', isOver); };
  zone.addEventListener('dragover', (event) => hover(event, true));
  zone.addEventListener('dragleave', (event) => hover(event, false));
  zone.addEventListener('drop', async (event) => {
    hover(event, false);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const chosen = new DataTransfer();
    for (const file of field.files) chosen.items.add(file);
    const found = entries.length ? (await Promise.all(entries.map(filesOf))).flat() : [...event.dataTransfer.files];
    for (const file of found) chosen.items.add(file);
    field.files = chosen.files;
    tell();
  });
  field.addEventListener('change', tell);
  // A drop beside the field must not open the file in the place of the page.
  for (const kind of ['dragover', 'drop']) window.addEventListener(kind, (event) => event.preventDefault());
}
