// Files and their rows come and go together.

/** @param {import('../../models.js').Application} app */
export default function documents (app) {
  const { Document, Folder } = app.models
  const files = /** @type {any} */ (Folder)

  files.observe('after upload', async (/** @type {any} */ { file }) => {
    const { container, name, originalFilename, type, size } = file
    // Told once more where a killed process did not come to its end.
    await Document.findOrCreate({ where: { file: name } }, {
      title: originalFilename, file: name, type, size, ownerId: Number(container)
    })
  })

  Document.observe('before delete', async ctx => {
    ctx.hookState.gone = await Document.find({ where: ctx.where })
  })
  Document.observe('after delete', async ctx => {
    const gone = /** @type {import('../../models.js').Document[]} */ (ctx.hookState.gone)
    for (const { file, ownerId } of gone) {
      await files.removeFile(String(ownerId), file).catch((/** @type {any} */ error) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
  })
}
