import type { BootExtension } from '@fastback/core'

/** The extensions that are installed with boot. */
export async function loadExtensions (): Promise<BootExtension[]> {
  const modules: object[] = await Promise.all([
    import('@fastback/oauth2/boot'),
    import('@fastback/auth'),
    import('@fastback/acl')
  ])
  return modules.flatMap(module => 'boot' in module ? [module.boot as BootExtension] : [])
}
