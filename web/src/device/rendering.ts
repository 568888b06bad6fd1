import { options } from 'preact'

/**
 * Makes Preact run effects right after the render, as React does after a user's input, instead of after the next frame
 * (docs/decisions/029-preact.md).
 *
 * TanStack Query passes a mutation's function on in an effect, so Enter right after a key would save the text without
 * the last key. TanStack Router subscribes to its store in an effect, and may suspend on settled promises until then.
 * Preact renders again after each such promise in a microtask, so no frame would come.
 */
export function runEffectsEarly(): void {
  options.requestAnimationFrame = (run) => queueMicrotask(run)
}
