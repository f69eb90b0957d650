'use strict';
(() => {
  const { ratios, words } = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const body = document.querySelector('#table tbody');
  const rows = [...body.rows];
  const picture = byId('histogram');
  const bins = 20;

  function draw(name, attributes, content) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (content !== undefined) element.textContent = content;
    picture.append(element);
  }

  function show() {
    const limit = Math.min(Math.max(Number(byId('threshold').value) || 0, 0), 100) / 100;
    const counts = new Array(bins).fill(0);
    for (const ratio of ratios) counts[Math.min(Math.floor(ratio * bins), bins - 1)]++;
    const scale = byId('logarithmic').checked ? (count) => Math.log10(count + 1) : (count) => count;
    const highest = Math.max(scale(Math.max(...counts)), 1e-9);
    picture.replaceChildren();
    counts.forEach((count, bin) => {
      const height = (scale(count) / highest) * 130;
      const above = bin / bins >= limit - 1e-9;
      draw('rect', { x: bin * 40 + 2, y: 150 - height, width: 36, height, class: above ? 'above' : 'fill' });
      if (count > 0) draw('text', { x: bin * 40 + 20, y: 146 - height, 'text-anchor': 'middle' }, String(count));
      if (bin % 2 === 0) draw('text', { x: bin * 40 + 2, y: 168 }, `${bin * 5} %`);
    });
    draw('line', { x1: limit * 800, x2: limit * 800, y1: 0, y2: 155, class: 'limit' });
    const above = ratios.filter((ratio) => ratio >= limit).length;
    byId('above').textContent = `${above} ${words.of} ${ratios.length} ${words.at_or_above}`;
    for (const row of rows) row.classList.toggle('above', Number(row.dataset.ratio) >= limit);
  }

  function search() {
    const wanted = byId('search').value.trim().toLocaleLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(wanted);
  }

  const headers = [...document.querySelectorAll('#table th')];
  headers.forEach((header, column) => {
    header.querySelector('button').addEventListener('click', () => {
      const numbers = header.classList.contains('n');
      const falling = header.ariaSort === null ? numbers : header.ariaSort === 'ascending';
      for (const other of headers) other.removeAttribute('aria-sort');
      header.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
      const key = (row) => row.cells[column].dataset.key;
      const compare = numbers ? (a, b) => key(a) - key(b) : (a, b) => key(a).localeCompare(key(b));
      rows.sort((a, b) => (falling ? compare(b, a) : compare(a, b)));
      body.append(...rows);
    });
  });

  byId('threshold').addEventListener('input', show);
  byId('logarithmic').addEventListener('change', show);
  byId('search').addEventListener('input', search);
  show();
  search();
})();
