// The JSON of an address book of so many people.
//   node people.js COUNT
const NAMES = ["Ada Lovelace", "Grace Hopper", "Édith Clarke", "Alan Turing", "Barbara Liskov", "Ken Thompson", "Radia Perlman"];
const TYPES = ["mobile", "home", "work"];
const WORK = [{ unemployed: null }, { employer: "Analytical Engines Ltd" }, { school: "King's College" }, { selfEmployed: null }];

const person = (i) => {
  const name = NAMES[i % NAMES.length];
  const phones = Array.from({ length: 1 + (i % 3) }, (_, j) => ({ number: `+44 20 7946 0${100 + i * 3 + j}`, type: TYPES[(i + j) % 3] }));
  return { id: 1000 + i, name, email: `${name.split(" ")[0].toLowerCase()}${i}@example.com`, phones, employment: WORK[i % WORK.length] };
};

console.log(JSON.stringify({ people: Array.from({ length: Number(process.argv[2]) }, (_, i) => person(i)) }));
