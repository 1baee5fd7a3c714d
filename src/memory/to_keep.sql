WITH to_keep AS (
  SELECT photo.value AS photo, photo.value ->> 'digest' AS digest
  FROM json_each(?1) AS photo
  WHERE EXISTS (SELECT 1 FROM memory WHERE version = 4)
    AND NOT EXISTS (
      SELECT 1 FROM photos
      WHERE photos.digest = photo.value ->> 'digest' AND photos.at_ms >= photo.value ->> 'at')
    AND NOT EXISTS (
      SELECT 1 FROM json_each(photo.value, '$.marks') AS mark
        CROSS JOIN forgotten ON forgotten.digest = mark.value)
)
