/** Makes a service of the settings: its client, its security, its WSDL. */
import { ServiceClient, readClientSettings } from '@fastback/service-client'
import type { ConnectorContext } from '@fastback/core'
import { WsdlError } from './errors.js'
import { Exchange, type NotifyAround } from './exchange.js'
import { loadWsdl } from './load-wsdl.js'
import { nameOperations, type NamedOperations } from './naming.js'
import { securityOf } from './security/security.js'
import { addressOf, wsdlLocation, type SoapSettings } from './settings.js'
import { SoapService } from './soap-service.js'
import { isAddress } from './wsdl/documents.js'
import type { Wsdl } from './wsdl/read-wsdl.js'

/** Milliseconds for the WSDL. */
const defaultTimeout = 60_000

/** A service that can be called. */
export interface OpenService {
  readonly service: SoapService
  readonly wsdl: Wsdl
  readonly named: NamedOperations
  close (): Promise<void>
}

/**
 * @throws FBK_SOAP_WSDL, FBK_SOAP_SECURITY, FBK_SOAP_MISSING_PACKAGE, FBK_CORE_DATA_SOURCE_SETTINGS
 */
export async function openService (
  settings: SoapSettings, context: ConnectorContext, notifyAround: NotifyAround
): Promise<OpenService> {
  const { dataSource, baseDir } = context
  const security = await securityOf(settings, { dataSource, baseDir })
  const clientOf = (more: object): ServiceClient => new ServiceClient(readClientSettings(more, dataSource), context)
  const client = clientOf({ ...settings, ...settings.requestOptions, ...security.client })
  try {
    const location = wsdlLocation(settings, baseDir)
    const wsdl = await readFrom(location, settings, context, notifyAround, clientOf)
    const service = new SoapService({
      dataSource,
      settings,
      wsdl,
      security,
      exchange: new Exchange(client, notifyAround),
      wsdlHost: isAddress(location) ? new URL(location).hostname : undefined
    })
    const named = nameOperations(wsdl.operations, settings.operations ?? {}, settings.onlyMapped === true)
    return { service, wsdl, named, close: () => client.close() }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** Its client is another one: what speaks for this server to the service is not for the WSDL. */
async function readFrom (
  location: string,
  settings: SoapSettings,
  { dataSource }: ConnectorContext,
  notifyAround: NotifyAround,
  clientOf: (settings: object) => ServiceClient
): Promise<Wsdl> {
  const { allowHosts } = settings as { readonly allowHosts?: unknown }
  const timeout = settings.connectionTimeout ?? defaultTimeout
  const client = clientOf({ timeout, allowHosts, ...settings.wsdl_options })
  try {
    const headers = { ...settings.wsdl_headers }
    const wsdl = await loadWsdl(new Exchange(client, notifyAround), { location, headers, timeout })
    check(wsdl, settings)
    return wsdl
  } catch (error) {
    throw Object.assign(new WsdlError(dataSource, (error as Error).message), { cause: error })
  } finally {
    await client.close()
  }
}

function check ({ operations }: Wsdl, settings: SoapSettings): void {
  if (operations.length === 0) throw new Error('it has no operation that can be called over SOAP')
  if (addressOf(settings) !== undefined) return
  const without = operations.find(({ address }) => address === undefined || !isAddress(address))
  if (without !== undefined) throw new Error(`it says no address of "${without.port}", and there is no setting "url"`)
}
