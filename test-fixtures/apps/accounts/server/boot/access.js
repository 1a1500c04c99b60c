/** Access control, and a post office that keeps what it is given. */
export default app => {
  app.enableAuth({ dataSource: 'db' })
  const { User } = app.models
  const mails = []
  const resets = []
  User.email = { send: async mail => { mails.push(mail); await User.delivery; return mail } }
  User.on('resetPasswordRequest', ({ accessToken }) => { resets.push(accessToken.id) })
  Object.assign(User, { mails, resets, delivery: undefined })
}
