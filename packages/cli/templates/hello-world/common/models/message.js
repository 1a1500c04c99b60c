/** @param {import('../../models.js').MessageModel} Message */
export default function (Message) {
  /** GET /api/Messages/greet?name=Ann */
  Message.greet = async function (/** @type {string | undefined} */ name) {
    return `Hello, ${name ?? 'world'}!`
  }
}
