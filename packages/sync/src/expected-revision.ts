/** A row was not as its writer expected it: the write is a conflict. */
export class RevisionMismatch extends Error {
  constructor () {
    super('The row has another revision than the write expects.')
  }
}
