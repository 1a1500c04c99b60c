// A row for each file: whose it is, and what it was called. The bytes are in the data source "files".

/** @param {import('../../models.js').DocumentModel} Document */
export default function (Document) {
  // What a document is called may change; what it is may not.
  Document.beforeRemote('prototype.patchAttributes', async ctx => {
    const { title } = ctx.args.data
    ctx.args.data = title === undefined ? {} : { title }
  })

  // Lists have the caller's own documents.
  Document.beforeRemote('find', async ctx => {
    const { filter } = ctx.args
    ctx.args.filter = { ...filter, where: { and: [filter?.where ?? {}, { ownerId: userIdOf(ctx) }] } }
  })
  Document.beforeRemote('count', async ctx => {
    ctx.args.where = { and: [ctx.args.where ?? {}, { ownerId: userIdOf(ctx) }] }
  })
}

const userIdOf = (/** @type {any} */ ctx) => ctx.req.accessToken.userId
