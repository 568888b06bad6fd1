/** Player store: the state of the media element and the actions of Video.js that this player uses. */
import {
  bufferFeature,
  controlsFeature,
  createPlayer,
  fullscreenFeature,
  pipFeature,
  playbackFeature,
  playbackRateFeature,
  textTrackFeature,
  timeFeature,
  volumeFeature,
} from '@videojs/react'

export const { Player: PlayerStore, usePlayer } = createPlayer({
  features: [
    bufferFeature,
    controlsFeature,
    fullscreenFeature,
    pipFeature,
    playbackFeature,
    playbackRateFeature,
    textTrackFeature,
    timeFeature,
    volumeFeature,
  ],
})
