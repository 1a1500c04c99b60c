/** What a client of live queries does with events: it holds rows, and takes steps. */
type Loose = any

/** Takes the steps of an event of the protocol (packages/docs/live-protocol.md). */
export function applied (rows: readonly Loose[], { event, data }: { event: string, data: Loose }): Loose[] {
  if (event === 'rows') return data.rows
  const next = [...rows]
  for (const { type, index, from, to, row } of data.changes) {
    if (type === 'insert') next.splice(index, 0, row)
    else if (type === 'update') next[index] = row
    else if (type === 'remove') next.splice(index, 1)
    else {
      const [moved] = next.splice(from, 1)
      next.splice(to, 0, row ?? moved)
    }
  }
  return next
}

/** Reads a stream into rows, until it is cut. */
export class Reader {
  rows: Loose[] = []
  id: string | undefined
  readonly events: string[] = []
  #stream: Loose
  #starting: Promise<void> = Promise.resolve()

  /** @param open opens the stream behind an event */
  constructor (readonly open: (after: string | undefined) => Promise<Loose>) {}

  async start (): Promise<void> {
    this.#stream = await this.open(this.id)
    this.#stream.on('data', (event: Loose) => {
      this.events.push(event.event)
      if (event.event === 'error') return
      this.rows = applied(this.rows, event)
      this.id = event.id
    })
  }

  cut (): void {
    this.#stream.destroy()
  }

  /** Cut, and back again; one after the other. */
  async again (): Promise<void> {
    this.#starting = this.#starting.then(async () => {
      this.cut()
      await this.start()
    })
    await this.#starting
  }
}
