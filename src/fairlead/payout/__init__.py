"""Line paid out and hauled in: when an element is created or absorbed, and what the new node's state is."""
