/** Sealed properties on each store: every way of writing and reading, and what the store itself gets to see. */
import t from 'tap'
import fc from 'fast-check'
import { onStores, sealedOn, sealing, older, newer, search } from './sealed-stores.js'

type Loose = any
const marker = 'MARK-491-22'

onStores(t, 'all ways of writing and reading', async (t, store) => {
  const { models: { Patient, Account, Doctor }, raw } = await sealedOn(store, t)
  const isSecret = async (): Promise<void> => {
    for (const name of ['Patient', 'Account', 'Doctor']) {
      t.notOk(JSON.stringify(await raw(name)).includes(marker), `the rows of ${name} have no value in plain text`)
    }
  }
  const whole = { name: 'a', ssn: `${marker}1`, note: `${marker} note`, file: { at: `${marker}`, n: 1 }, tags: [marker] }
  const made = await Patient.create(whole)
  t.match(made.toObject(), { ...whole, version: 1 }, 'create')
  t.match((await Patient.findById(made.id)).toObject(), whole, 'findById')
  const [stored] = await raw('Patient')
  for (const name of ['ssn', 'note', 'file', 'tags']) t.match(stored?.[name], /^fb1\.older\./, `${name} is a sealed text`)
  t.match(stored?.ssn_hash, /^[0-9a-f]{64}$/)
  t.equal(stored?.version, 1, 'the second step of a create counts as no version')
  t.equal(made.toObject().ssn_hash, undefined)
  const list = await Patient.create([
    { name: 'b', ssn: `${marker}2`, note: '', file: null }, { name: 'c', ssn: '' }, { name: 'd', tags: [] }
  ])
  t.match(list.map((each: Loose) => [each.ssn, each.note, each.file]), [[`${marker}2`, '', null], ['', undefined, undefined], []])
  t.equal((await Patient.find({ order: 'name' })).map((each: Loose) => each.ssn ?? '-').join(), `${marker}1,${marker}2,,-`)

  t.equal((await Patient.find({ where: { ssn: `${marker}1` } })).length, 1, 'eq')
  t.equal((await Patient.find({ where: { ssn: { inq: [`${marker}1`, `${marker}2`, null] } } })).length, 3, 'inq')
  t.equal((await Patient.find({ where: { ssn: { inq: [null] } } })).length, 1, 'inq null')
  t.equal(await Patient.count({ ssn: { neq: `${marker}1` } }), 3, 'neq')
  t.equal(await Patient.count({ ssn: { neq: null } }), 3, 'neq null')
  t.equal(await Patient.count({ ssn: null }), 1, 'eq null')
  t.equal(await Patient.count({ ssn: '' }), 1, 'empty text')
  t.equal(await Patient.count({ or: [{ ssn: `${marker}1` }, { name: 'd' }] }), 2, 'or')
  t.equal(await Patient.count({ ssn: `${marker}1 ` }), 0, 'another text')
  t.equal((await Patient.findOne({ where: { ssn: `${marker}2` }, fields: ['ssn'] })).ssn, `${marker}2`, 'fields without the id')
  t.equal((await Patient.findOne({ where: { ssn: `${marker}2` }, fields: ['ssn'] })).toObject().id, undefined)

  t.equal((await made.patchAttributes({ note: `${marker} two` })).note, `${marker} two`, 'patchAttributes')
  t.equal((await made.patchAttributes({ ssn: null })).ssn, null)
  t.match(await raw('Patient'), [{ ssn: null, ssn_hash: null }])
  t.equal((await Patient.replaceById(made.id, { name: 'a', ssn: `${marker}9` })).ssn, `${marker}9`, 'replaceById')
  t.notOk((await Patient.findById(made.id)).note, 'what a replacement does not have is gone')
  t.same(await Patient.updateAll({ name: { inq: ['a', 'b'] } }, { note: `${marker} all` }), { count: 2 }, 'updateAll')
  t.same((await Patient.find({ where: { name: { inq: ['a', 'b'] } } })).map((each: Loose) => each.note), [`${marker} all`, `${marker} all`])
  t.same(await Patient.updateAll({ ssn: `${marker}9` }, { ssn: `${marker}10`, name: 'z' }), { count: 1 })
  t.same(await Patient.updateAll({ ssn: `${marker}10` }, { note: null }), { count: 1 })
  t.equal((await Patient.updateOrCreate({ id: made.id, ssn: `${marker}11` })).ssn, `${marker}11`, 'updateOrCreate')
  t.equal((await Patient.upsertWithWhere({ ssn: `${marker}11` }, { note: 'n' })).note, 'n', 'upsertWithWhere')
  const [first, isNew] = await Patient.findOrCreate({ where: { ssn: `${marker}12` } }, { name: 'e', ssn: `${marker}12`, note: marker })
  t.match([first.ssn, first.note, isNew], [`${marker}12`, marker, true], 'findOrCreate creates')
  const [again, isAgainNew] = await Patient.findOrCreate({ where: { ssn: `${marker}12` } }, { name: 'f' })
  t.match([again.id, again.note, isAgainNew], [first.id, marker, false], 'findOrCreate finds')
  t.equal((await Patient.findById(first.id)).note, marker)
  t.same(await Patient.destroyAll({ ssn: `${marker}12` }), { count: 1 }, 'destroyAll')
  const forged = await Patient.create({ name: 'g', ssn_hash: 'forged', ssn: `${marker}13` })
  await Patient.updateAll({ id: forged.id }, { ssn_hash: 'forged' }).catch(() => {})
  t.equal(await Patient.count({ ssn: `${marker}13` }), 1, 'nobody else writes a hash')

  const dora = await Doctor.create({ name: 'Dora', pin: `${marker}pin` })
  await Patient.create({ name: 'h', ssn: `${marker}14`, doctorId: dora.id })
  const [included] = await Patient.find({ where: { ssn: `${marker}14` }, include: 'doctor' })
  t.equal(included.toJSON().doctor.pin, `${marker}pin`, 'include')
  const [parent] = await Doctor.find({ include: 'patients' })
  t.equal(parent.toJSON().patients[0].ssn, `${marker}14`)

  const own = await Account.create({ code: 'A1', iban: `${marker}`, region: 'x' })
  t.equal(own.iban, marker)
  await t.rejects(Account.create({ code: 'A2', iban: marker }), { statusCode: 422 } as Loose, 'unique')
  await Account.create({ code: 'A3' })
  await Account.create({ code: 'A4', iban: null })
  t.equal((await Account.findById('A1')).iban, marker)
  await isSecret()
})

onStores(t, 'keys are rotated', async (t, store) => {
  const main = { ...store, main: { ...store.main, migrate: 'update', file: undefined } }
  const before = await sealedOn(main, t)
  if (before.models.Patient.dataSource.connector.name === 'memory' || store.main.url === 'sqlite::memory:') {
    t.pass('the rows go with the registry')
    return
  }
  await before.models.Patient.dataSource.autoupdate()
  const { id } = await before.models.Patient.create({ ssn: '1', note: 'old' })
  const after = await sealedOn(main, t, { ...sealing, current: 'newer' })
  t.match(await after.models.Patient.findById(id), { ssn: '1', note: 'old' }, 'all keys open')
  await after.models.Patient.updateAll({ ssn: '1' }, { note: 'new' })
  const [row] = await after.raw('Patient')
  t.match([row?.ssn, row?.note], [/^fb1\.older\./, /^fb1\.newer\./], 'the current one seals')
  const without = await sealedOn(main, t, { keys: { older }, current: 'older', searchKey: search })
  await t.rejects(without.models.Patient.findById(id), { statusCode: 500, code: 'SEALED_VALUE_UNREADABLE', message: /no key "newer"/ })
  const searched = await sealedOn(main, t, { keys: { older, newer }, current: 'older', searchKey: [newer, search] })
  t.equal(await searched.models.Patient.count({ ssn: '1' }), 1, 'an earlier search key still finds')
})

t.test('random values come back', async t => {
  const { models: { Patient } } = await sealedOn({ main: { connector: (await import('@fastback/connector-memory')).memoryConnector } }, t)
  await fc.assert(fc.asyncProperty(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 })).filter(each => !JSON.stringify(each).includes('__proto__')),
    fc.array(fc.string(), { maxLength: 5 }),
    async (note, file, tags) => {
      const wellFormed = Buffer.from(note).toString()
      const whole = JSON.parse(JSON.stringify(file)) as object
      const { id } = await Patient.create({ note: wellFormed, ssn: wellFormed, file: whole, tags })
      const found = (await Patient.findById(id)).toObject()
      t.equal(found.note, wellFormed)
      t.same(found.file, whole)
      t.same(found.tags, tags)
      t.ok((await Patient.find({ where: { ssn: wellFormed } })).some((each: Loose) => each.id === id))
    }
  ), { numRuns: 100 })
  const huge = 'x'.repeat(3_000_000)
  const { id } = await Patient.create({ note: huge })
  t.equal((await Patient.findById(id)).note, huge)
})
