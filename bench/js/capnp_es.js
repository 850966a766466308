// The address book by capnp-es, from the code that its compiler makes of the schema (bench/js/run.sh): all fields into plain objects, and
// a message built of them.
const TYPES = ["mobile", "home", "work"];

export async function capnpEs(book, { AddressBook, Person_Employment }) {
  const { Message } = await import("capnp-es");
  const read = (person) => {
    const { employment } = person;
    const which = employment.which();
    return {
      id: person.id,
      name: person.name,
      email: person.email,
      phones: person.phones.map((phone) => ({ number: phone.number, type: TYPES[phone.type] })),
      employment:
        which === Person_Employment.EMPLOYER ? { which: "employer", value: employment.employer }
        : which === Person_Employment.SCHOOL ? { which: "school", value: employment.school }
        : which === Person_Employment.SELF_EMPLOYED ? { which: "selfEmployed", value: null }
        : { which: "unemployed", value: null },
    };
  };
  const encode = () => {
    const message = new Message();
    const people = message.initRoot(AddressBook)._initPeople(book.people.length);
    book.people.forEach((of, i) => {
      const person = people.get(i);
      person.id = of.id;
      person.name = of.name;
      person.email = of.email;
      const phones = person._initPhones(of.phones.length);
      of.phones.forEach((phone, j) => {
        phones.get(j).number = phone.number;
        phones.get(j).type = TYPES.indexOf(phone.type);
      });
      const { which, value } = of.employment;
      if (which === "employer") person.employment.employer = value;
      else if (which === "school") person.employment.school = value;
      else person.employment[which] = true;
    });
    return new Uint8Array(message.toArrayBuffer());
  };
  const bytes = encode();
  return { bytes, decode: () => ({ people: new Message(bytes, false).getRoot(AddressBook).people.map(read) }), encode };
}
