/** The connector `mail`: sends what the model `Email` is told to send. It stores nothing. */
import type { Connector, ConnectorContext, DataSourceSettings } from '@fastback/core'
import { NotAStoreError } from '../errors.js'
import { makeTransport, StubTransport, type Mail, type Transport, type TransportSettings } from './transport.js'

export interface MailConnector extends Connector {
  /**
   * Sends a message by its `transport` (the alias of one), else by the first. Without transports it is kept, and a
   * warning is logged.
   */
  send (mail: Mail): Promise<unknown>
  /** A transport by its alias or its type; undefined where there is none. */
  transportForName (name: string): Transport | undefined
  /** What sends messages that name no transport. */
  defaultTransport (): Transport | undefined
  /** What stub transports were given. */
  readonly sent: readonly Mail[]
}

interface MailSettings extends DataSourceSettings {
  readonly transports?: readonly TransportSettings[]
  readonly transport?: TransportSettings
}

interface Named { readonly alias: string, readonly transport: Transport }

/**
 * Makes the connector of a data source for the model Email. It stores nothing; without `transports` messages are kept
 * in
 * `sent`, for tests.
 *
 * ```js
 * const transports = [{ type: 'smtp', host: 'mail.example.com' }]
 * registry.defineDataSource('mail', { connector: mailConnector, transports })
 * registry.attach('Email', 'mail')
 * new mailConnector({ transports }).transportForName('smtp') // by itself, as `loopback.Mail`
 * ```
 * @throws FBK_AUTH_NOT_A_STORE for operations on rows
 */
export function mailConnector (
  settings: DataSourceSettings, { dataSource = 'mail', log }: Partial<ConnectorContext> = {}
): MailConnector {
  const { transports = [], transport } = settings as MailSettings
  const configured = [...transports, ...(transport === undefined ? [] : [transport])]
  const kept = new StubTransport()
  let opened: Named[] | undefined
  const open = (): Named[] =>
    (opened ??= configured.map(each => ({
      alias: each.alias ?? each.type ?? 'smtp',
      transport: makeTransport(dataSource, each)
    })))
  const transportForName = (name: string): Transport | undefined =>
    open().find(({ alias }) => alias === name)?.transport
  const defaultTransport = (): Transport | undefined => open()[0]?.transport
  const refuse = (what: string) => (): never => { throw new NotAStoreError(dataSource, what) }

  return {
    name: 'mail',
    defaultMigration: 'none',
    generatedIdType: 'number',
    transportForName,
    defaultTransport,
    async connect () { open() },
    async disconnect () { for (const { transport } of open()) transport.close?.() },
    ping () {},
    attach () {},
    autoupdate () {},
    automigrate () {},
    isActual: () => true,
    create: refuse('create'),
    createMany: refuse('create'),
    find: refuse('find'),
    findById: refuse('findById'),
    count: refuse('count'),
    updateAll: refuse('updateAll'),
    updateById: refuse('updateById'),
    replaceById: refuse('replaceById'),
    findOrCreate: refuse('findOrCreate'),
    deleteAll: refuse('deleteAll'),
    get sent () { return kept.sent },
    async send ({ transport: wanted, ...mail }) {
      const chosen = (typeof wanted === 'string' ? transportForName(wanted) : undefined) ?? defaultTransport()
      if (chosen !== undefined) return await chosen.sendMail(mail)
      log?.warn(
        { dataSource },
        'No email transport specified for sending email. Set up a transport to send mail messages.'
      )
      return await kept.sendMail(mail)
    }
  }
}
