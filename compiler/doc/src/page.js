const search = document.getElementById('search');
const nothing = document.getElementById('nothing');
const sections = [...document.querySelectorAll('section[data-search]')];
const entries = new Map([...document.querySelectorAll('li[data-for]')].map((entry) => [entry.dataset.for, entry]));
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const section of sections) {
    const fits = words.every((word) => section.dataset.search.includes(word));
    section.hidden = !fits;
    const entry = entries.get(section.id);
    if (entry) entry.hidden = !fits;
    shown += fits;
  }
  const versions = document.getElementById('versions');
  if (versions) versions.hidden = words.length > 0;
  nothing.hidden = shown > 0 || words.length === 0;
}
search.addEventListener('input', filter);
addEventListener('hashchange', () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.hidden) { search.value = ''; filter(); target.scrollIntoView(); }
});
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
  if (event.key === 'Escape' && document.activeElement === search) { search.value = ''; filter(); }
});
