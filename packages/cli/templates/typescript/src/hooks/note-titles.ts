import type { FastifyInstance } from 'fastify'

/** Titles of notes have no blanks around them, whoever writes them. */
export function tidyTitles (app: FastifyInstance): void {
  app.models.Note.observe('before save', ({ instance, data }) => {
    const note = instance ?? data
    if (typeof note?.title === 'string') note.title = note.title.trim()
  })
}
