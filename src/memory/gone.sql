gone_faces AS (
  SELECT one.value ->> 0 AS person, gone.digest
  FROM gone CROSS JOIN json_each(gone.people) AS one
),
gone_pairs AS (
  SELECT one.value ->> 0 AS person, other.value ->> 0 AS other, count(*) AS photos
  FROM gone CROSS JOIN json_each(gone.people) AS one CROSS JOIN json_each(gone.people) AS other
  WHERE one.key <> other.key AND NOT gone.is_vetoed
  GROUP BY 1, 2
)
