// Module hooks for code blocks: what a package does not depend on itself is looked for in others.
// A reader of its README has installed it.
const elsewhere = ['packages/boot', 'packages/cli', 'packages/acl', 'packages/create', 'packages/mcp', 'packages/events', 'test-fixtures']
  .map(folder => new URL(`../../${folder}/block.mjs`, import.meta.url).href)

export async function resolve (specifier, context, nextResolve) {
  try {
    return await nextResolve(specifier, context)
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || /^[./]/.test(specifier)) throw error
    for (const parentURL of elsewhere) {
      try {
        return await nextResolve(specifier, { ...context, parentURL })
      } catch {}
    }
    throw error
  }
}
