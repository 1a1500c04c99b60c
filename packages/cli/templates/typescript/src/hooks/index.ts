// Every function that hangs hooks on models: each is called with the application. `fastback add model --acl owner` adds
// a line.
export * from './note-owners.ts'
