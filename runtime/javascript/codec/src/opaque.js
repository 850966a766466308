/** A value whose type the schema leaves open: a flat message, of one segment without a table, whose root it is. */
export class Opaque {
  constructor(bytes) {
    this.bytes = bytes;
  }
}
