/** The options of the extensions, together (openid.md, section 9). Each is off unless it is set. */
import { Type, type Static } from '@sinclair/typebox'
import { DeviceSchema, deviceSettings } from './device/options.js'
import { InvalidOptionsError } from './errors.js'
import { deviceGrant, type GrantType } from './grant-types.js'
import { PushedSchema, pushedSettings } from './pushed/options.js'
import { RegistrationSchema, registrationSettings } from './registration/options.js'
import type { Settings } from './settings.js'

export const extensionProperties = {
  deviceFlow: Type.Optional(Type.Union([Type.Boolean(), DeviceSchema])),
  pushedRequests: Type.Optional(Type.Union([Type.Boolean(), PushedSchema])),
  dynamicRegistration: Type.Optional(Type.Union([Type.Literal(false), RegistrationSchema]))
}

type Extension = typeof extensionProperties
type ExtensionOptions = { readonly [name in keyof Extension]?: Static<Extension[name]> } & {
  readonly authorizationServer?: boolean
}

type ExtensionPaths = Pick<Settings['paths'], 'deviceAuthorization' | 'device' | 'pushed' | 'registration'>

/** Where the endpoints of the extensions are. */
export function extensionPaths (options: ExtensionOptions): ExtensionPaths {
  const { deviceFlow, pushedRequests, dynamicRegistration } = serving(options)
  const device = deviceSettings(deviceFlow)
  return {
    deviceAuthorization: device?.authorizationPath,
    device: device?.verificationPath,
    pushed: pushedSettings(pushedRequests)?.path,
    registration: dynamicRegistration === undefined || dynamicRegistration === false
      ? undefined
      : dynamicRegistration.path ?? '/oauth/register'
  }
}

/**
 * Checks the options and fills in what was left out. The device authorization grant is added to `grants`.
 * @throws FBK_OAUTH2_INVALID_OPTIONS
 */
export function extensionSettings (options: ExtensionOptions, { paths, sessions, grants, warn }: {
  readonly paths: Settings['paths']
  readonly sessions: boolean
  readonly grants: Set<GrantType>
  readonly warn: (message: string) => void
}): Pick<Settings, 'device' | 'pushed' | 'registration'> {
  const { deviceFlow, pushedRequests, dynamicRegistration } = serving(options)
  const device = deviceSettings(deviceFlow)
  if (device !== undefined && (!sessions || paths.token === undefined)) {
    throw new InvalidOptionsError('the option "deviceFlow" needs the token endpoint, and the pages ("session").')
  }
  if (device !== undefined) grants.add(deviceGrant)
  const pushed = pushedSettings(pushedRequests)
  if (pushed !== undefined && paths.authorize === undefined) {
    throw new InvalidOptionsError('the option "pushedRequests" needs the authorization endpoint.')
  }
  return { device, pushed, registration: registrationSettings(dynamicRegistration, { grants, warn }) }
}

/** A resource server alone has no extensions. */
const serving = (options: ExtensionOptions): ExtensionOptions =>
  options.authorizationServer === false ? {} : options
