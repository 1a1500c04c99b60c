/** Access control, a post office that keeps what it is given, and rows that come slowly when a test asks for it. */
export default app => {
  app.enableAuth({ dataSource: 'db' })
  const { User } = app.models
  const mails = []
  const resets = []
  User.email = { send: async mail => { mails.push(mail); await User.delivery; return mail } }
  User.on('resetPasswordRequest', ({ accessToken }) => { resets.push(accessToken.id) })
  Object.assign(User, { mails, resets, delivery: undefined, pause: 0 })
  User.observe('loaded', async () => { if (User.pause > 0) await new Promise(resolve => setTimeout(resolve, User.pause)) })
}
