/** What is not saved is not lost: who goes elsewhere is asked first. */
import { useEffect, useRef } from 'preact/hooks'
import { confirmed } from '../ask.js'
import { useData } from '../data-part.js'

/**
 * Asks before the page goes elsewhere while something is not saved.
 * @returns lets the page go; what it returns holds it again, such as after a failure
 */
export function useUnsaved (isUnsaved: () => boolean): () => () => void {
  const { router, part: { questions } } = useData()
  const latest = useRef(isUnsaved)
  latest.current = isUnsaved
  const isLetGo = useRef(false)
  useEffect(() => {
    const release = router.hold(address => {
      if (isLetGo.current || !latest.current()) return false
      confirmed(questions, 'Leave without saving?', 'Discard', 'What you changed here is not saved.').then(isSure => {
        if (!isSure) return
        isLetGo.current = true
        router.go(address)
      }, () => {})
      return true
    })
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (!isLetGo.current && latest.current()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      release()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [])
  return () => {
    isLetGo.current = true
    return () => { isLetGo.current = false }
  }
}
