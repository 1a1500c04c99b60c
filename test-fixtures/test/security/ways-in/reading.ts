/** Ways in that read rows. Each says whether it showed that row. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Asked, Which } from './application.js'
import { listen } from './streams.js'

export interface Way {
  /** Whether the row was shown, or changed. */
  takes (asked: Asked, which: Which): Promise<boolean>
  /** Whether it goes over many rows at once: a rule for owners opens no such thing. */
  readonly ofMany?: boolean
  /** Whether nobody gets a row by it. */
  readonly hasNone?: boolean
}

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value))
const shows = ({ status, text }: Answer, which: Which): boolean => status < 300 && text.includes(`${which} text`)
/** Whether a stream told of a letter: by its text, or by its id. */
const tellsOf = (text: string, name: string): boolean =>
  text.includes(`${name} told`) || text.includes(`"target":"${name}"`)
const number = { seen: 1, gone: 2 } as const

/** Asks for a path, and looks for the row in the response. */
const get = (path: (asked: Asked, which: Which) => string, ofMany = false, accept?: string): Way => ({
  ofMany,
  takes: async (asked, which) =>
    shows(await asked.ask('GET', path(asked, which), undefined, accept === undefined ? {} : { accept }), which)
})

const counts = (path: (asked: Asked, which: Which) => string): Way => ({
  ofMany: true,
  takes: async (asked, which) => {
    const { status, body } = await asked.ask('GET', path(asked, which))
    return status === 200 && body.count > 0
  }
})

/** Makes a row like the one that is asked for, and afterwards one that the caller sees. */
async function makeLike ({ models: { Letter, userId, otherId } }: Asked, which: Which, name: string): Promise<void> {
  const like = which === 'seen' ? { userId, state: 'here' } : { userId: otherId, state: 'gone' }
  await Letter.create({ id: name, text: `${name} told`, seal: 'wax', ...like })
  await Letter.create({ id: `${name}-end`, text: `${name} end`, seal: 'wax', userId, state: 'here' })
}

let made = 0

export const reading: Readonly<Record<string, Way>> = {
  list: get(({ letters }) => letters, true),
  'list as XML': get(({ letters }) => letters, true, 'application/xml'),
  'list with a filter': get(({ letters }, which) => `${letters}?filter=${json({ where: { id: which } })}`, true),
  'find by id': get(({ letters }, which) => `${letters}/${which}`),
  findOne: get(({ letters }, which) => `${letters}/findOne?filter=${json({ where: { id: which } })}`, true),
  count: counts(({ letters }, which) => `${letters}/count?where=${json({ id: which })}`),
  'HEAD by id': {
    takes: async ({ ask, letters }, which) => (await ask('HEAD', `${letters}/${which}`)).status === 200
  },
  exists: {
    takes: async ({ ask, letters }, which) => (await ask('GET', `${letters}/${which}/exists`)).body?.exists === true
  },
  'hasMany: list': get(({ boxes }, which) => `${boxes}/${number[which]}/letters`),
  'hasMany: by id': get(({ boxes }, which) => `${boxes}/${number[which]}/letters/${which}`),
  'hasMany: count': counts(({ boxes }, which) => `${boxes}/${number[which]}/letters/count`),
  'hasMany, nested': get(
    ({ shelves }, which) => `${shelves}/${number[which]}/boxes/${number[which]}/letters`),
  hasOne: get(({ boxes }, which) => `${boxes}/${number[which]}/only`),
  belongsTo: get(({ stamps }, which) => `${stamps}/${number[which]}/letter`),
  'through: list': get(({ boxes }, which) => `${boxes}/${number[which]}/posted`),
  'through: by id': get(({ boxes }, which) => `${boxes}/${number[which]}/posted/${which}`),
  'through: count': counts(({ boxes }, which) => `${boxes}/${number[which]}/posted/count`),
  'through: exists': {
    takes: async ({ ask, boxes }, which) =>
      (await ask('HEAD', `${boxes}/${number[which]}/posted/rel/${which}`)).status === 200
  },
  'references: list': get(({ boxes }, which) => `${boxes}/${number[which]}/picked`),
  'references: by id': get(({ boxes }, which) => `${boxes}/${number[which]}/picked/${which}`),
  'include of a list': get(({ boxes }) => `${boxes}?filter=${json({ include: 'letters' })}`),
  'include of one': get(({ stamps }) => `${stamps}?filter=${json({ include: 'letter' })}`),
  'include through': get(({ boxes }) => `${boxes}?filter=${json({ include: 'posted' })}`),
  'include of references': get(({ boxes }) => `${boxes}?filter=${json({ include: 'picked' })}`),
  'include at depth two': get(
    ({ shelves }) => `${shelves}?filter=${json({ include: { boxes: ['letters', 'only'] } })}`),
  'include by a relation route': get(
    ({ shelves }, which) => `${shelves}/${number[which]}/boxes?filter=${json({ include: 'letters' })}`),
  'change stream, live': {
    takes: async (asked, which) => {
      const name = `live${++made}`
      const stream = await listen(asked, `${asked.letters}/change-stream`)
      await stream.until(':ok')
      await makeLike(asked, which, name)
      const text = await stream.until(`${name} end`)
      await stream.close()
      return tellsOf(text, name)
    }
  },
  'change stream, what was missed': {
    takes: async (asked, which) => {
      const name = `missed${++made}`
      const stream = await listen(asked, `${asked.letters}/change-stream`)
      await stream.until(':ok')
      await makeLike(asked, 'seen', `${name}-first`)
      const [last] = [...(await stream.until(`${name}-first end`)).matchAll(/id: (\d+)/g)].slice(-1)
      await stream.close()
      await makeLike(asked, which, name)
      const late = await listen(asked, `${asked.letters}/change-stream`, { 'last-event-id': String(last?.[1]) })
      const text = await late.until(`${name} end`)
      await late.close()
      return tellsOf(text, name)
    }
  },
  'change stream, a removal': {
    takes: async (asked, which) => {
      const name = `removed${++made}`
      await makeLike(asked, which, name)
      const stream = await listen(asked, `${asked.letters}/change-stream`)
      await stream.until(':ok')
      await remove(asked, name)
      await makeLike(asked, 'seen', `${name}-last`)
      const text = await stream.until(`${name}-last end`)
      await stream.close()
      return text.includes(`"target":"${name}"`)
    }
  },
  'live query, the rows': {
    ofMany: true,
    takes: async (asked, which) => {
      const stream = await listen(asked, `${asked.letters}/live`)
      const text = stream.status === 200 ? await stream.until('event: rows') : ''
      await stream.close()
      return text.includes(`${which} text`)
    }
  },
  'live query, a change': {
    ofMany: true,
    takes: async (asked, which) => {
      const name = `watched${++made}`
      const filter = json({ where: { id: { like: `${name}%` } } })
      const stream = await listen(asked, `${asked.letters}/live?filter=${filter}`)
      if (stream.status !== 200) {
        await stream.close()
        return false
      }
      await stream.until('event: rows')
      await makeLike(asked, which, name)
      const text = await stream.until(`${name} end`)
      await stream.close()
      return text.includes(`${name} told`)
    }
  },
  'sync/pull': {
    takes: async (asked, which) => shows(await asked.ask('GET', `${asked.letters}/sync/pull`), which)
  },
  'sync/pull of several models': {
    takes: async (asked, which) =>
      shows(await asked.ask('POST', '/api/sync/pull', { models: { [asked.models.Letter.modelName]: null } }), which)
  },
  'sync/live': {
    takes: async (asked, which) => {
      const stream = await listen(asked, `${asked.letters}/sync/live`)
      await stream.until(':ok')
      await wait(250)
      const { Letter, userId, otherId } = asked.models
      const like = which === 'seen' ? { userId, state: 'here' } : { userId: otherId, state: 'gone' }
      await Letter.create({ id: `alive${++made}`, text: 'alive', seal: 'wax', ...like })
      const heard = await Promise.race([stream.until('event: changed').then(() => true), wait(600, false)])
      await stream.close()
      return heard
    }
  },
  changes: {
    takes: async (asked, which) => {
      const { status, text } = await asked.ask('GET', `${asked.letters}/changes?since=-1`)
      return status === 200 && text.includes(`"${which}"`)
    }
  },
  'file of the row': {
    takes: async ({ ask, letters }, which) =>
      (await ask('GET', `${letters}/${which}/image`)).text.includes(`the image of the ${which} row`)
  },
  'pages of the admin page, whose rows come by REST': {
    hasNone: true,
    takes: async (asked, which) => {
      const answers = await Promise.all(asked.adminPages.map(async page => await asked.ask('GET', page)))
      return answers.some(answer => shows(answer, which))
    }
  }
}

/** By code of the application, which has the instance. */
async function remove ({ models: { Letter }, stored }: Asked, id: string): Promise<void> {
  await new Letter(await stored(id), { persisted: true }).destroy()
}
