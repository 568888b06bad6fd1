import { options } from 'preact'

/**
 * Makes Preact run effects right after the render instead of after the next frame (docs/decisions/029-preact.md).
 *
 * TanStack Query passes on a mutation's function in an effect. If the effect ran later, Enter right after a key would
 * save the text without the last key. TanStack Router subscribes to its store in an effect. Until then it may suspend
 * and render again in endless microtasks, so the next frame would never come.
 */
export function runEffectsEarly(): void {
  options.requestAnimationFrame = (run) => queueMicrotask(run)
}
