// Every function that hangs hooks on models: each is called with the application.
export * from './note-titles.ts'
