// Access control: from here on the "acls" of the models decide who may call what.

/** @param {import('../../models.js').Application} app */
export default function authentication (app) {
  app.enableAuth()
}
