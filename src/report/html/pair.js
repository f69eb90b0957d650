'use strict';
(() => {
  document.documentElement.style.setProperty('--foot', JSON.stringify(document.body.dataset.foot));
  const { passages } = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const marks = [...document.querySelectorAll('mark[data-p]')];
  const of = (passage) => marks.filter((mark) => mark.dataset.p.split(' ').includes(String(passage)));
  let chosen = -1;

  function choose(passage) {
    chosen = passage;
    const here = new Set(of(passage));
    for (const mark of marks) mark.classList.toggle('chosen', here.has(mark));
    for (const side of document.querySelectorAll('.whole')) {
      const first = [...here].find((mark) => side.contains(mark));
      if (first) side.scrollTop += first.getBoundingClientRect().top - side.getBoundingClientRect().top - 60;
    }
    byId('position').textContent = `${passage + 1} / ${passages}`;
    history.replaceState(null, '', `#p=${passage + 1}`);
  }

  const step = (by) => passages > 0 && choose(chosen < 0 ? (by > 0 ? 0 : passages - 1) : (chosen + by + passages) % passages);
  byId('next').addEventListener('click', () => step(1));
  byId('previous').addEventListener('click', () => step(-1));
  document.addEventListener('click', (event) => {
    const mark = event.target.closest('mark[data-p]');
    if (!mark || !getSelection().isCollapsed) return;
    const here = mark.dataset.p.split(' ').map(Number);
    choose(here[(here.indexOf(chosen) + 1) % here.length]);
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === 'n' || event.key === 'ArrowRight') step(1);
    else if (event.key === 'p' || event.key === 'ArrowLeft') step(-1);
    else return;
    event.preventDefault();
  });
  const wanted = Number(new URLSearchParams(location.hash.slice(1)).get('p')) - 1;
  if (wanted >= 0 && wanted < passages) choose(wanted);
  else if (passages > 0) {
    for (const side of document.querySelectorAll('.whole')) {
      const first = marks.find((mark) => side.contains(mark));
      if (first) side.scrollTop += first.getBoundingClientRect().top - side.getBoundingClientRect().top - 60;
    }
  }
})();
