/**
 * Built-in models of this package, and models that extend them. Checked by `tsc` alone (`npm run types`): every line
 * below fails to compile when a type is not what it should be.
 */
import { Type } from '@sinclair/typebox'
import { defineModel, type Models, type ModelRegistry } from '@fastback/core'
import '@fastback/auth'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}

const Member = defineModel({
  name: 'AuthMember',
  base: 'User',
  properties: Type.Object({ nick: Type.String() }),
  methods: {
    signUp: {
      accepts: Type.Object({ email: Type.String({ format: 'email' }), password: Type.String(), nick: Type.String() }),
      returns: Type.Object({ id: Type.Integer() }),
      async run (args, { options }) {
        const { id } = await this.create(args, options)
        return { id }
      }
    }
  }
})
const MemberToken = defineModel({ name: 'AuthMemberToken', base: 'AccessToken', properties: { device: 'string' } })

declare module '@fastback/core' {
  interface ModelTypes { AuthMember: typeof Member, AuthMemberToken: typeof MemberToken }
}

async function users (registry: ModelRegistry, models: Models): Promise<void> {
  const Members = registry.defineModel(Member)
  const member = await Members.create({ email: 'a@x', password: 'secret', nick: 'A' })
  expect<Equal<typeof member.email, string>>()
  expect<Equal<typeof member.nick, string>>()
  expect<Equal<typeof member.emailVerified, boolean | null | undefined>>()
  await Members.find({ where: { email: { like: '%@x' }, username: null, nick: 'A' }, include: 'accessTokens' })
  const token = await Members.login({ email: 'a@x', password: 'secret' })
  expect<Equal<typeof token.id, string>>()
  expect<Equal<typeof token.ttl, number | null>>()
  expect<Equal<typeof token.created, Date | null>>()
  await Members.logout(token.id)
  await Members.resetPassword({ email: 'a@x' })
  await Members.changePassword(member.id, 'secret', 'other', { skipValidation: true })
  Members.login({ username: 'a', password: 'secret' }, (_error, given) => { use(given?.id.length) })
  const isRight: boolean = await member.hasPassword('secret')
  await member.verify()
  await member.accessTokens.destroyAll()
  await Members.signUp({ email: 'a@x', password: 'secret', nick: 'A' })
  Members.afterRemote('login', ctx => { use(ctx.args.credentials.email, ctx.result.id.length) })
  Members.beforeRemote('create', ({ options: { accessToken } }) => {
    expect<Equal<NonNullable<typeof accessToken>['userId'], number | null | undefined>>()
  })
  Members.on('resetPasswordRequest', ({ email }) => { use(email) })
  use(isRight)
  // @ts-expect-error no such property of users
  await Members.find({ where: { emial: 'a@x' } })
  // @ts-expect-error a user needs a password
  await Members.create({ email: 'a@x', nick: 'A' })
  // @ts-expect-error a login needs a password
  await Members.login({ email: 'a@x' })
  // @ts-expect-error no such method of users
  Members.beforeRemote('logIn', () => {})
  // @ts-expect-error no such function
  await Members.resetPasword({ email: 'a@x' })

  const Tokens = registry.defineModel(MemberToken)
  const resolved = await Tokens.resolve(token.id)
  const isValid: boolean | undefined = await resolved?.validate()
  use(isValid, (await Tokens.findById('x'))?.device)
  // @ts-expect-error ids of tokens are texts
  await Tokens.findById(5)
  // Built-in models are there without being said.
  use((await models.User.findOne({ where: { email: 'a@x' } }))?.username, models.AccessToken.createAccessTokenId)
  await models.Email.send({ to: 'a@x', from: 'b@x', subject: 'Hello' })
  const app = await models.Application.register('me', 'phone')
  use(app.clientKey, app.status)
}

use(users)
