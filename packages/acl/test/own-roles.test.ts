import t from 'tap'
import { call, makeApp, row } from './app.js'

const note = {
  name: 'Note',
  properties: { text: 'string', userId: 'number' },
  acls: [row('DENY', '$everyone'), row('ALLOW', 'editor'), row('ALLOW', '$owner', { property: 'deleteById' })]
}

t.test('S-96 Role.isInRole of the application is asked, and may go back to the built-in one', async t => {
  for (const callsBack of [true, false]) {
    const asked: unknown[] = []
    const app = await makeApp(t, {
      definitions: [note],
      prepare: async ({ Role, Note }) => {
        await Note.create({ text: 'one', userId: 2 })
        const builtin = Role.isInRole
        const own = async (role: string, context: any): Promise<boolean> => {
          asked.push(context.modelName)
          return role === 'editor' ? context.getUserId() === 1 : await builtin.call(Role, role, { ...context })
        }
        Role.isInRole = callsBack
          ? (role: string, context: any, next: any) => { own(role, context).then(is => next(null, is), next) }
          : own
      }
    })
    t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 200)
    t.equal((await call(app, 'ben', 'GET', '/Notes')).status, 401)
    t.equal((await call(app, undefined, 'GET', '/Notes')).status, 401)
    t.ok(asked.includes('Note'))
  }
})

t.test('S-96 Role.isOwner of the application is asked', async t => {
  const app = await makeApp(t, {
    definitions: [note],
    prepare: async ({ Role, Note }) => {
      await Note.create([{ text: 'one', userId: 2 }, { text: 'two', userId: 2 }])
      const builtin = Role.isOwner
      Role.isOwner = async (Model: unknown, id: unknown, userId: unknown, ...more: unknown[]) =>
        userId === 1 || await builtin.call(Role, Model, id, userId, ...more)
    }
  })
  t.equal((await call(app, 'ann', 'DELETE', '/Notes/1')).status, 200)
  t.equal((await call(app, 'adam', 'DELETE', '/Notes/2')).status, 401)
  t.equal((await call(app, 'ben', 'DELETE', '/Notes/2')).status, 200)
})

t.test('S-96 Role.isAuthenticated of the application is asked', async t => {
  const app = await makeApp(t, {
    definitions: [{ ...note, acls: [row('DENY', '$everyone'), row('ALLOW', '$authenticated', { property: 'find' })] }],
    prepare: async ({ Role }) => { Role.isAuthenticated = async (context: any) => context.getUserId() === 1 }
  })
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 200)
  t.equal((await call(app, 'ben', 'GET', '/Notes')).status, 401)
  t.equal((await call(app, undefined, 'GET', '/Notes')).status, 401)
})

t.test('S-96 functions of ACL that are the application\'s decide, and may go back to the built-in ones', async t => {
  type Loose = any
  const asked: string[] = []
  const own: Readonly<Record<string, (ACL: Loose) => void>> = {
    checkAccessForContext (ACL) {
      const builtin = ACL.checkAccessForContext
      ACL.checkAccessForContext = async (context: Loose) => {
        asked.push(`${String(context.modelName)}.${String(context.property)}`)
        return context.getUserId() === 1 ? { isAllowed: () => true } : await builtin.call(ACL, context)
      }
    },
    getStaticACLs (ACL) {
      const builtin = ACL.getStaticACLs
      ACL.getStaticACLs = (model: string, property: string) => [
        ...builtin.call(ACL, model, property),
        new ACL({ model, property, accessType: '*', permission: 'ALLOW', principalType: 'USER', principalId: '1' })
      ]
    },
    resolvePermission (ACL) {
      const builtin = ACL.resolvePermission
      ACL.resolvePermission = (rules: Loose[], request: Loose) => {
        const resolved = builtin.call(ACL, rules, request)
        if (rules.some(({ permission }) => permission === 'ALLOW')) resolved.permission = 'ALLOW'
        return resolved
      }
    }
  }
  for (const [name, replace] of Object.entries(own)) {
    const acls = [row('DENY', '$everyone'), row('ALLOW', name === 'resolvePermission' ? 'editor' : 'nobody', { property: 'find' })]
    const app = await makeApp(t, {
      definitions: [{ ...note, acls }],
      prepare: async ({ ACL, Role }) => {
        Role.registerResolver('editor', async (_: string, context: Loose) => context.getUserId() === 1)
        replace(ACL)
      }
    })
    t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 200, name)
    t.equal((await call(app, 'ben', 'GET', '/Notes')).status, 401, name)
    t.equal((await call(app, undefined, 'GET', '/Notes')).status, 401, name)
  }
  t.ok(asked.includes('Note.find'))
})
