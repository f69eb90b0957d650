'use strict';
(() => {
  document.documentElement.style.setProperty('--foot', JSON.stringify(document.body.dataset.foot));
  const { ratios, words, members, pairs } = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const percent = (ratio) => (ratio * 100).toFixed(1) + '%';
  const bins = 20;

  function draw(picture, name, attributes, content) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (content !== undefined) element.textContent = content;
    picture.append(element);
    return element;
  }

  const body = document.querySelector('#table tbody');
  const rows = body ? [...body.rows] : [];

  function show() {
    const picture = byId('histogram');
    const limit = Math.min(Math.max(Number(byId('threshold').value) || 0, 0), 100) / 100;
    const counts = new Array(bins).fill(0);
    for (const ratio of ratios) counts[Math.min(Math.floor(ratio * bins), bins - 1)]++;
    const scale = byId('logarithmic').checked ? (count) => Math.log10(count + 1) : (count) => count;
    const highest = Math.max(scale(Math.max(...counts)), 1e-9);
    picture.replaceChildren();
    counts.forEach((count, bin) => {
      const height = (scale(count) / highest) * 105;
      const above = bin / bins >= limit - 1e-9;
      draw(picture, 'rect', { x: bin * 40 + 2, y: 125 - height, width: 36, height, class: above ? 'above' : 'fill' });
      if (count > 0) draw(picture, 'text', { x: bin * 40 + 20, y: 121 - height, 'text-anchor': 'middle' }, String(count));
      if (bin % 2 === 0) draw(picture, 'text', { x: bin * 40 + 2, y: 142 }, `${bin * 5}%`);
    });
    draw(picture, 'line', { x1: limit * 800, x2: limit * 800, y1: 0, y2: 130, class: 'limit' });
    const above = ratios.filter((ratio) => ratio >= limit).length;
    const told = [above, ratios.length];
    byId('above').textContent = words.above_threshold.replaceAll('{}', () => told.shift());
    for (const row of rows) row.classList.toggle('above', Number(row.dataset.ratio) >= limit);
    for (const cell of document.querySelectorAll('[data-ratios]')) {
      cell.textContent = String(cell.dataset.ratios.split(' ').filter((ratio) => Number(ratio) >= limit).length);
    }
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

  // Submissions that are joined by pairs of at least the share that is asked for, the largest group first.
  function groupsFrom(strong) {
    const towards = new Map();
    const find = (at) => {
      while (towards.get(at) !== at) at = towards.get(at);
      return at;
    };
    for (const [first, second] of strong) for (const at of [first, second]) if (!towards.has(at)) towards.set(at, at);
    for (const [first, second] of strong) {
      const [a, b] = [find(first), find(second)];
      towards.set(Math.max(a, b), Math.min(a, b));
    }
    const groups = new Map();
    for (const at of [...towards.keys()].sort((a, b) => a - b)) {
      const of = find(at);
      groups.set(of, [...(groups.get(of) || []), at]);
    }
    return [...groups.values()].sort((a, b) => b.length - a.length);
  }

  const short = (id) => ([...id].length <= 18 ? id : [...id].slice(0, 17).join('') + '…');

  // Each group in a circle; groups stand side by side as far as there is room.
  function graph(groups, strong) {
    const places = new Map();
    let [left, top, tallest] = [0, 0, 0];
    for (const group of groups) {
      const radius = Math.min(Math.max(group.length * 20, 50), 300);
      const size = radius * 2 + 130;
      if (left + size > 800 && left > 0) [left, top, tallest] = [0, top + tallest, 0];
      // Two stand side by side, so that no line crosses a name.
      const two = group.length === 2;
      const [turned, middle, height] = two ? [0.5, 30, 70] : [0.25, radius + 40, radius * 2 + 80];
      group.forEach((member, at) => {
        const angle = 2 * Math.PI * (at / group.length - turned);
        places.set(member, [left + size / 2 + radius * Math.cos(angle), top + middle + radius * Math.sin(angle)]);
      });
      [left, tallest] = [left + size, Math.max(tallest, height)];
    }
    const picture = frame('graph', top + tallest + 20);
    for (const [first, second, share, page] of strong) {
      const [[x1, y1], [x2, y2]] = [places.get(first), places.get(second)];
      const line = draw(picture, 'line', { x1, y1, x2, y2, 'stroke-width': (1 + 6 * share).toFixed(1) });
      draw(line, 'title', {}, `${members[first]} – ${members[second]}: ${percent(share)}`);
      lead(line, page);
    }
    for (const [member, [cx, cy]] of places) {
      draw(draw(picture, 'circle', { cx, cy, r: 7 }), 'title', {}, members[member]);
      draw(picture, 'text', { x: cx, y: cy + 20, 'text-anchor': 'middle' }, short(members[member]));
    }
  }

  // All members, group by group, against each other.
  function heatMap(groups, strong) {
    const order = groups.flat();
    const place = new Map(order.map((member, at) => [member, at]));
    const cell = 700 / order.length;
    const picture = frame('graph heat', 700, 700);
    draw(picture, 'rect', { x: 0, y: 0, width: 700, height: 700, class: 'ground' });
    for (const [first, second, share, page] of strong) {
      for (const [a, b] of [[first, second], [second, first]]) {
        const rect = draw(picture, 'rect', { x: (place.get(a) * cell).toFixed(2), y: (place.get(b) * cell).toFixed(2), width: cell.toFixed(2), height: cell.toFixed(2), class: 'cell', 'fill-opacity': (0.25 + 0.75 * share).toFixed(2) });
        draw(rect, 'title', {}, `${members[a]} – ${members[b]}: ${percent(share)}`);
        lead(rect, page);
      }
    }
    const caption = document.createElement('p');
    caption.className = 'caption';
    caption.textContent = words.heat_map;
    byId('picture').append(caption);
  }

  // To the page of a pair. The table below leads there without a mouse.
  function lead(mark, page) {
    if (!page) return;
    mark.classList.add('leads');
    mark.addEventListener('click', () => location.assign(page));
  }

  function frame(look, height, width = 800) {
    byId('picture').replaceChildren();
    return draw(byId('picture'), 'svg', { class: look, viewBox: `0 0 ${width} ${Math.ceil(height)}`, role: 'img', 'aria-label': words.shared });
  }

  const mostInGraph = 40;

  function share() {
    const least = Number(byId('least').value) / 100;
    byId('least-value').textContent = percent(least);
    const strong = pairs.filter((pair) => pair[2] >= least);
    const groups = groupsFrom(strong);
    const told = groups.slice(0, 8).map((group, at) => `${words.group} ${at + 1}${words.colon}${group.length} ${words.submissions}`).join(' · ') + (groups.length > 8 ? ' …' : '');
    const less = strong.length < pairs.length ? words.less_shared : '';
    byId('groups').textContent = [told || words.none_at_share, less].filter(Boolean).join(' · ');
    if (strong.length === 0) byId('picture').replaceChildren();
    else if (groups.flat().length > mostInGraph) heatMap(groups, strong);
    else graph(groups, strong);
    for (const row of document.querySelectorAll('[data-share]')) row.hidden = Number(row.dataset.share) < least;
  }

  if (byId('least')) {
    // Where nothing is as large as what is shown at first, all is shown: a page that two long texts share must not look like none.
    if (!pairs.some((pair) => pair[2] >= Number(byId('least').value) / 100)) byId('least').value = 0;
    byId('least').addEventListener('input', share);
    share();
  }
  if (byId('table')) {
    byId('threshold').addEventListener('input', show);
    byId('logarithmic').addEventListener('change', show);
    byId('search').addEventListener('input', search);
    show();
    search();
  }
})();
