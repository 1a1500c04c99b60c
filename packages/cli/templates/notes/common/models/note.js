/** @param {import('../../models.js').NoteModel} Note */
export default function (Note) {
  Note.validatesLengthOf('title', { max: 100, message: { max: 'is longer than 100 characters' } })

  // POST /api/Notes/:id/finish
  Note.prototype.finish = async function () {
    return await this.patchAttributes({ done: true })
  }
}
