/**
 * What every provider must do, for anyone who writes one. It knows no test runner: each case is a function that throws.
 *
 * ```ts
 * const cases = providerCases({ make: () => new PigeonProvider(settings), message, token, answers })
 * for (const { name, run } of cases) test(name, run)
 * ```
 */
import assert from 'node:assert/strict'
import type { Outcome } from './provider/outcome.js'
import type { Message, Provider } from './provider/provider.js'

export interface ProviderSubject {
  /** A provider that speaks to a service of the test. */
  make (): Provider
  readonly message: Message
  /** A token that the service takes. */
  readonly token: string
  /** Makes the service answer the next request so that the outcome should be of a status; undefined: it cannot. */
  readonly answers: Readonly<Partial<Record<Outcome['status'], () => void>>>
}

export interface ProviderCase {
  readonly name: string
  run (): Promise<void>
}

/**
 * The cases; each makes a provider and closes it.
 *
 * ```js
 * const answers = { sent: () => {} }
 * const subject = { make: () => new StubProvider(), message: { alert: 'Hello' }, token: 't', answers }
 * for (const { run } of providerCases(subject)) await run()
 * ```
 */
export function providerCases ({ make, message, token, answers }: ProviderSubject): ProviderCase[] {
  const withOne = async (work: (provider: Provider) => Promise<void>): Promise<void> => {
    const provider = make()
    try {
      await work(provider)
    } finally {
      provider.close()
      provider.close()
    }
  }
  const outcomes = Object.entries(answers).map(([status, answer]) => ({
    name: `a response that means "${status}" is that outcome`,
    run: async () => await withOne(async provider => {
      answer()
      const outcome = await provider.deliver(message, token)
      assert.equal(outcome.status, status)
      if (outcome.status !== 'sent') assert.match(outcome.reason, /^[\w.-]{1,64}$/, 'reasons are codes')
      assert.ok(!JSON.stringify(outcome).includes(token), 'an outcome does not repeat the token')
    })
  }))
  const gone = answers.gone === undefined
    ? []
    : [{
        name: 'pushNotification emits devicesGone with the token',
        run: async () => await withOne(async provider => {
          answers.gone?.()
          const heard = new Promise(resolve => provider.once('devicesGone', resolve))
          provider.pushNotification(message, token)
          assert.deepEqual(await heard, [token])
        })
      }]
  return [
    ...outcomes,
    ...gone,
    {
      name: 'hostile tokens are an outcome, not an error',
      run: async () => await withOne(async provider => {
        for (const hostile of ['', '../x', 'a\r\nb: c', '{"endpoint":"http://169.254.169.254/"}', '\u0000', 'é'.repeat(5000)]) {
          assert.ok((await provider.deliver(message, hostile)).status.length > 0)
        }
      })
    },
    {
      name: 'messages at the same time do not get in each other\'s way',
      run: async () => await withOne(async provider => {
        const all = await Promise.all(Array.from({ length: 20 }, async () => await provider.deliver(message, token)))
        assert.deepEqual([...new Set(all.map(({ status }) => status))], ['sent'])
      })
    }
  ]
}
