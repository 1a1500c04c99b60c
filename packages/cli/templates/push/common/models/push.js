// Anyone who sends to others needs a rule in push.json; to oneself everybody may.

/** @param {import('../../models.js').PushModel} Push */
export default function (Push) {
  const push = /** @type {any} */ (Push)

  push.notifyMe = async (/** @type {string} */ text, /** @type {any} */ options) => {
    const where = { deviceType: 'web', userId: String(options.accessToken.userId) }
    const { sent } = await push.notifyByQuery(where, { title: 'Fastback', alert: text.slice(0, 200), url: '/' })
    return sent
  }
}
