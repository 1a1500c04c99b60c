'use strict'
module.exports = async app => {
  const { User, OAuthClientApplication, Crossing } = app.models
  await User.create({ username: 'ada', email: 'ada@tolls.test', password: 'correct horse' })
  await OAuthClientApplication.create({
    id: 'gate',
    name: 'The gate',
    clientType: 'confidential',
    clientSecret: 'a secret of the gate',
    redirectURIs: ['https://gate.test/back'],
    scopes: ['crossings', 'keep', 'other']
  })
  await Crossing.create({ plate: 'AB 12' })
}
