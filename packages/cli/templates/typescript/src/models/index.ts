// Every model of the application. `fastback add model` adds a line.
export * from './category.model.ts'
export * from './note.model.ts'
