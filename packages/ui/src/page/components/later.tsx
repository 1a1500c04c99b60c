/** A component whose code is loaded when it is first shown. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Notice } from './notice.js'
import { Skeleton } from './skeleton.js'

/** @param load the same function at each drawing */
export function Later<Given extends object> ({ load, given }: {
  readonly load: () => Promise<ComponentType<Given>>, readonly given: Given
}) {
  const [found, setFound] = useState<{ readonly Component?: ComponentType<Given>, readonly fault?: string }>({})
  useEffect(() => {
    load().then(
      Component => { setFound({ Component }) },
      (error: unknown) => { setFound({ fault: error instanceof Error ? error.message : String(error) }) })
  }, [load])
  const { Component, fault } = found
  if (fault !== undefined) return <Notice kind="bad">This could not be loaded: {fault}. Load the page again.</Notice>
  return Component === undefined ? <Skeleton/> : <Component {...given}/>
}
