/** `acls` in a form of the application's own, and `Model.checkAccess` that reads them. */
import t from 'tap'
import { explainAccess } from '@fastback/acl'
import { call, makeApp, row } from './app.js'

const written = { READ: '*', WRITE: 'perm_name', deleteById: 'nobody' }
const note = { name: 'Note', properties: { text: 'string', userId: 'number' }, acls: written }

type Call = [token: any, modelId: any, method: any, ctx: any, callback: (error?: any, allowed?: any) => void]

/** As the mixin of an application has it. */
const readsOwnForm = (seen: Call[] = []) => function (this: any, ...args: Call): void {
  seen.push(args)
  const [token, , method, , callback] = args
  const { acls } = method.ctor.settings
  const needed = acls[method.name] ?? acls[method.accessType]
  callback(null, needed === '*' || (needed === 'perm_name' && token !== null))
}

t.test('the application\'s own checkAccess decides, and reads its own acls', async t => {
  const seen: Call[] = []
  const app = await makeApp(t, {
    definitions: [note],
    prepare: async ({ Note }) => {
      Note.checkAccess = readsOwnForm(seen)
      await Note.create({ text: 'one' })
    }
  })
  const { Note } = app.models
  t.equal(Note.settings.acls, written, 'as written')
  t.strictSame(Note.definition.acls ?? [], [], 'no rule')
  t.equal((await call(app, undefined, 'GET', '/Notes/1')).status, 200)
  t.equal((await call(app, undefined, 'POST', '/Notes', { text: 'x' })).status, 401)
  t.equal((await call(app, 'ann', 'PATCH', '/Notes/1', { text: 'x' })).status, 200)
  t.equal((await call(app, 'ann', 'DELETE', '/Notes/1')).status, 401)
  const [token, modelId, method, ctx] = seen[2] as Call
  t.equal(token.userId, 1)
  t.equal(modelId, '1')
  t.match(method, { name: 'patchAttributes', aliases: ['updateAttributes'], accessType: 'WRITE' })
  t.equal(method.ctor, Note)
  t.equal(ctx.req.headers.host, 'localhost:80')
  const { allowed, reason } = await explainAccess(Note.registry, { model: 'Note', method: 'find' })
  t.ok(allowed)
  t.match(reason, 'checkAccess')
})

t.test('it may return the answer or a promise of it, and what fails refuses', async t => {
  let answer: () => unknown = () => true
  const app = await makeApp(t, {
    definitions: [note],
    prepare: ({ Note }) => { Note.checkAccess = () => answer() }
  })
  const status = async (): Promise<number> => (await call(app, 'ann', 'GET', '/Notes')).status
  t.equal(await status(), 200)
  answer = () => false
  t.equal(await status(), 401)
  answer = async () => true
  t.equal(await status(), 200)
  answer = async () => {}
  t.equal(await status(), 401)
  answer = async () => { throw Object.assign(new Error('Not today'), { statusCode: 418 }) }
  t.equal(await status(), 418)
  answer = () => { throw new Error('broken') }
  t.equal(await status(), 500)
})

t.test('a model that extends one with a check is asked by it, and may have rules again', async t => {
  const app = await makeApp(t, {
    definitions: [
      note,
      { name: 'Sub', base: 'Note' },
      { name: 'Ruled', base: 'Note', acls: [row('DENY', '$everyone')] }
    ],
    prepare: ({ Note, Ruled }) => {
      Note.checkAccess = readsOwnForm()
      Ruled.checkAccess = async function (token: any, id: any, method: any, ctx: any) {
        return await Ruled.base.base.checkAccess.call(this, token, id, method, ctx)
      }
    }
  })
  t.equal((await call(app, undefined, 'GET', '/Subs')).status, 200)
  t.equal((await call(app, undefined, 'POST', '/Subs', {})).status, 401)
  t.strictSame(app.models.Ruled.settings.acls, [row('DENY', '$everyone')])
  t.equal((await call(app, 'ann', 'GET', '/Ruleds')).status, 401)
})

t.test('a check may hand on to the one that it replaces, which asks the rules', async t => {
  const app = await makeApp(t, {
    definitions: [{ ...note, acls: [row('DENY', '$everyone'), row('ALLOW', '$owner')] }],
    prepare: async ({ Note }) => {
      const { checkAccess } = Note
      Note.checkAccess = function (token: any, id: any, method: any, ctx: any, callback: any) {
        if (method.name === 'count') return callback(null, true)
        return checkAccess.apply(this, [token, id, method, ctx, callback])
      }
      await Note.create([{ userId: 1 }, { userId: 2 }])
    }
  })
  t.equal((await call(app, undefined, 'GET', '/Notes/count')).status, 200)
  t.equal((await call(app, 'ann', 'GET', '/Notes/1')).status, 200)
  t.equal((await call(app, 'ann', 'GET', '/Notes/2')).status, 401)
})

t.test('acls that nobody reads stop the start, and open nothing where they come later', async t => {
  await t.rejects(makeApp(t, { definitions: [note] }), {
    code: 'FBK_ACL_UNREAD_RULES',
    message: 'Nobody reads the "acls" of model "Note": they are no list of rules'
  })
  const app = await makeApp(t, {
    definitions: [{ ...note, acls: [] }]
  })
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 200)
  app.models.Note.settings.acls = written
  t.equal((await call(app, 'ann', 'GET', '/Notes')).status, 401)
})

t.test('what is neither rules nor an object is refused, and so is a rule beside acls of one\'s own', async t => {
  const define = async (part: object): Promise<unknown> => await makeApp(t, { definitions: [{ ...note, ...part }] })
  for (const acls of ['DENY', 7, [null], ['DENY']] as any[]) {
    await t.rejects(define({ acls }), { code: 'FBK_CORE_INVALID_DEFINITION' }, JSON.stringify(acls))
  }
  const app = await makeApp(t, { definitions: [note], prepare: ({ Note }) => { Note.checkAccess = readsOwnForm() } })
  t.throws(() => app.models.Note.hasMany('parts', { model: 'Note', acls: [row('DENY', '$everyone')] }), {
    code: 'FBK_CORE_INVALID_DEFINITION'
  })
})
